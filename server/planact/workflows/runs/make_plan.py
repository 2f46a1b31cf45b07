"""From a request to a plan document."""

from dataclasses import dataclass, replace
from typing import Any

from planact.agent.loop import EndKind, TurnResult
from planact.base.errors import Conflict, InvalidInput, NotFound
from planact.model.notice import ToolNotice
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.plan.question_blocks import without_questions
from planact.policy.commands import only_reads
from planact.policy.safety import unsafe_reasons
from planact.workflows.history.earlier_answers import add_earlier_answers
from planact.workflows.plans.library import PlanDocument, read_document
from planact.workflows.plans.lint import Linter
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.runs.revise_plan import revise_plan
from planact.workflows.sessions.manage import change_session, name_session
from planact.workflows.turns.mentions import with_mentions
from planact.workflows.turns.take_turn import TurnTaken, ask_role, take_planning_turn
from planact.workflows.workspace import Workspace


async def make_plan(ws: Workspace, session_id: str, request: str, target: PlanDocument | None = None) -> TurnTaken:
    """Let the planner work on a request.

    Args:
        ws: the workspace.
        session_id: a session in Plan.
        request: what the user wants.
        target: the request document that the plan is to replace; None = a new document.

    Raises:
        Conflict: MODE_CONFLICT in Act, BUSY.
        InvalidInput: INVALID_ARGUMENTS for an empty request; and what `with_mentions` raises.
    """
    if ws.ports.sessions.get(session_id).mode is not Mode.PLAN:
        raise Conflict("MODE_CONFLICT", "a plan is made in Plan", "Switch to Plan first.")
    if not request.strip():
        raise InvalidInput("INVALID_ARGUMENTS", "the request is empty", "Say what you want to have done.")
    full = await with_mentions(ws, session_id, request)
    ws.check_idle(session_id)
    name_session(ws, session_id, request)
    more: dict[str, Any] = {} if full == request else {"typed": request}
    add_earlier_answers(ws, session_id)
    ws.add_message(session_id, "user", full, **more)
    return await ws.work(session_id, take_planning_turn(ws, session_id, target))


async def make_plan_in(ws: Workspace, session_id: str, path: str) -> TurnTaken:
    """Turn the `*.plan` document at `path`, which holds only text, into a plan in place.

    Raises:
        InvalidInput: PLAN_INVALID, when it is a plan already.
    """
    document = read_document(ws, path)
    document.check_merged()
    if not document.tree.is_request:
        hint = "Revise it instead, or begin a new document."
        raise InvalidInput("PLAN_INVALID", f"{document.path} is a plan already", hint)
    ws.ports.approvals.withdraw(document.path)  # of a plan that was here before, or the new one could not be written
    change_session(ws, session_id, plan_file=document.path)
    return await make_plan(ws, session_id, without_questions(document.tree), document)


NO_PLAN = "The request led to no plan."


def result_of_planning(taken: TurnTaken) -> TurnResult:
    """Return the result of a turn that was to make a plan: `nothing_done` where the model ended it without one."""
    if taken.written is not None or taken.offer or taken.result.kind != "finished":
        return taken.result
    return TurnResult("nothing_done", taken.result.text, NO_PLAN)


async def execute_if_accepted(ws: Workspace, session_id: str, taken: TurnTaken) -> TurnResult:
    """Execute the plan that the user accepted in the turn, if they did."""
    if taken.result.kind != "accepted" or taken.written is None:
        return taken.result
    return turn_result(await execute_plan(ws, session_id, taken.written.path, Confirmation.UNLESS_APPROVED))


def turn_result(execution: Execution) -> TurnResult:
    """Return the result for the user whose message led to the execution."""
    kind: EndKind = "stopped" if execution.status in ("paused", "aborted") else "finished"
    return TurnResult(kind, execution.reason or f"{execution.status}: {execution.goal}")


GRACE_SECONDS = 5.0
"""Seconds that a safe plan waits before it starts, so that the user can stop it."""


@dataclass(frozen=True, slots=True)
class PlanAndExecution:
    """The plan that was made, and its execution if there was one."""

    document: PlanDocument
    execution: Execution | None


async def plan_and_act(
    ws: Workspace, session_id: str, request: str, *, is_scrutinized: bool = False
) -> PlanAndExecution:
    """Make a plan and carry it out, after a moment to stop it where it is safe, else after the user's yes.

    Raises:
        NotFound: PLAN_NOT_FOUND, when the planner made no plan.
    """
    taken = await plan_for_acting(ws, session_id, request, is_scrutinized=is_scrutinized)
    if taken.written is None:
        raise NotFound("PLAN_NOT_FOUND", "the request led to no plan", taken.result.text or taken.result.reason)
    if not may_act(taken):
        return PlanAndExecution(taken.written, None)
    return await act_if_safe(ws, session_id, taken.written.path, is_accepted=taken.result.kind == "accepted")


async def plan_for_acting(ws: Workspace, session_id: str, request: str, *, is_scrutinized: bool) -> TurnTaken:
    """The plan; `is_scrutinized` = the reviewer criticises it, and the planner revises it once by that."""
    taken = await make_plan(ws, session_id, request)
    if not is_scrutinized or taken.written is None or not may_act(taken) or taken.result.kind == "accepted":
        return taken
    path = taken.written.path
    _notify(ws, session_id, f"The reviewer looks at {path}.")
    task = f"Review the plan {path} before it is carried out. It was made for this request:\n\n{request}"
    report = await ws.work(session_id, ask_role(ws, session_id, "reviewer", task))
    revised = await revise_plan(ws, session_id, path, f"A reviewer says of it:\n\n{report}")
    return replace(revised, written=read_document(ws, path))


def may_act(taken: TurnTaken) -> bool:
    """The turn ended with a plan that may now be carried out."""
    return not taken.is_held and taken.result.kind in ("finished", "accepted")


async def act_if_safe(
    ws: Workspace, session_id: str, path: str, *, is_accepted: bool, grace_seconds: float = GRACE_SECONDS
) -> PlanAndExecution:
    """Carry out a plan that was just made: at once if the user accepted it meanwhile, after a moment to stop it where
    it is safe, else after their yes. What starts is the text that was judged, or they are asked.
    """
    document = read_document(ws, path)
    if is_accepted:
        return PlanAndExecution(document, await execute_plan(ws, session_id, path, Confirmation.UNLESS_APPROVED))
    plan = document.complete()
    checks = [check for step in plan.steps for check in step.validation_checks]
    reading = [check for check in (*checks, *plan.validation_commands) if await _only_reads(ws, check)]
    reasons = unsafe_reasons(plan, frozenset([*ws.settings.commands.allow, *reading]))
    reasons += tuple(p.message for p in Linter().lint(ws, document.tree) if p.severity == "error")
    judged = "" if reasons else document.hash
    if reasons:
        _notify(ws, session_id, f"The plan needs your yes: {'; '.join(reasons)}.")
    else:
        chance = f" and starts in {grace_seconds:.0f} s. Stop it if you don't want that" if grace_seconds else ""
        _notify(ws, session_id, f"The plan is safe{chance}.")
        await ws.work(session_id, ws.ports.clock.sleep(grace_seconds))
    try:
        execution = await execute_plan(ws, session_id, path, Confirmation.ASK, seen_hash=judged)
    except Conflict as conflict:
        if conflict.code != "NOT_CONFIRMED":
            raise
        return PlanAndExecution(document, None)
    return PlanAndExecution(document, execution)


async def _only_reads(ws: Workspace, command: str) -> bool:
    """A check would pass in Act without a question, since its command is known to only read here."""
    found = await ws.ports.commands.read(command, ws.ports.files.resolve("."))
    return only_reads(found) and not found.traits - {"plain"}


def _notify(ws: Workspace, session_id: str, text: str) -> None:
    ws.add_message(session_id, "system", text)
    ws.ports.editor.notify(ToolNotice(session_id, "planandact", text))
