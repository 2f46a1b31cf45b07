"""From a request or a planning turn to the execution of the plan: at once where it is safe or accepted, else after a
yes.
"""

from dataclasses import dataclass, replace

from planact.agent.loop import EndKind, TurnResult
from planact.base.errors import Conflict, NotFound
from planact.model.notice import ToolNotice
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.policy.commands import judge_command
from planact.policy.safety import unsafe_reasons
from planact.workflows.plans.library import PlanDocument, read_document
from planact.workflows.plans.lint import Linter
from planact.workflows.runs.execute import Confirmation, execute_accepted, execute_plan
from planact.workflows.runs.make_plan import make_plan
from planact.workflows.runs.revise_plan import revise_plan
from planact.workflows.turns.take_turn import TurnTaken, ask_reviewer
from planact.workflows.workspace import Workspace


async def execute_if_accepted(ws: Workspace, session_id: str, taken: TurnTaken) -> TurnResult:
    """Execute the plan that the user accepted in the turn, if they did."""
    execution = await execute_accepted(ws, session_id, taken)
    return turn_result(execution) if execution else taken.result


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
    report = await ws.work(session_id, ask_reviewer(ws, session_id, task))
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
        execution = await execute_plan(ws, session_id, path, Confirmation.UNLESS_SAFE, seen_hash=judged)
    except Conflict as conflict:
        if conflict.code != "NOT_CONFIRMED":
            raise
        return PlanAndExecution(document, None)
    return PlanAndExecution(document, execution)


async def _only_reads(ws: Workspace, command: str) -> bool:
    """A check would pass in Act without a question, since its command is known to only read here."""
    found, runner = await ws.ports.commands.read(command, ws.ports.files.resolve(".")), ws.ports.runner
    held = runner.enforced()
    judged = judge_command(found, Mode.ACT, "off", held, hides_credentials=runner.hides_credentials())
    return judged.kind == "allow" and not found.traits - {"plain"}


def _notify(ws: Workspace, session_id: str, text: str) -> None:
    ws.add_message(session_id, "system", text)
    ws.ports.editor.notify(ToolNotice(session_id, "planandact", text))
