"""Carry out an approved plan.

What stands here comes before the first step: the user's yes to exactly this text, and everybody else out of the way.
"""

import contextlib
from collections.abc import Collection, Sequence
from enum import Enum, auto

from planact.base.errors import Conflict, InvalidInput, NotFound
from planact.base.text import one_line
from planact.model.execution import Execution
from planact.model.notice import ToolNotice
from planact.model.permission import Mode
from planact.model.plan import Plan, Step
from planact.plan.changes import wish_for
from planact.workflows.approve_plan import approve_text
from planact.workflows.ask_to_execute import ask_to_execute, is_yes, withdraw_questions
from planact.workflows.carry_out import Run, carry_out
from planact.workflows.draw_run import SETTLED
from planact.workflows.half_rolled_back import tell_half_rolled_back
from planact.workflows.heed_changes import replan
from planact.workflows.library import PlanDocument, is_approved, read_document
from planact.workflows.lint_plan import Linter
from planact.workflows.put_in_order import put_in_order
from planact.workflows.question_in_plan import take_out_ended
from planact.workflows.queued import heed_unread, told_unread
from planact.workflows.run_freshness import RunFreshness
from planact.workflows.run_hooks import hooks_after_run
from planact.workflows.sessions import name_session, title_from
from planact.workflows.sole_run import sole_run
from planact.workflows.switch_mode import enter_mode
from planact.workflows.workspace import Stopped, Workspace


class Confirmation(Enum):
    """How the user says yes: they have, by a flag of a run that nobody watches, which goes on with no stale plan; or
    they are still to be asked, always or only if they haven't approved it yet.
    """

    BY_FLAG = auto()
    UNLESS_APPROVED = auto()
    ASK = auto()


async def execute_plan(
    ws: Workspace,
    session_id: str,
    path: str,
    confirmation: Confirmation,
    *,
    only_steps: Collection[int] = (),
    seen_hash: str = "",
    wish: str = "",
) -> Execution:
    """Execute what is left of a plan, or some steps of it. Returns the record, also when the run was stopped.

    Args:
        ws: the workspace.
        session_id: the session that works; it is in Act from then on, with the plan in hand.
        path: the plan document.
        confirmation: whether the user still is to be asked.
        only_steps: numbers of the steps to run, in the order of the plan; none = all that are left. Of several, those
            that are done or skipped are left out; a single one is run again.
        seen_hash: hash of the text that the user saw and said yes to, so that another is asked about; empty = none.
        wish: the message in which the user asked for it; empty = they said yes in another way.

    Raises:
        InvalidInput: PLAN_INVALID, STEP_NOT_FOUND.
        Conflict: PLAN_CHANGED_SINCE_APPROVAL, BUSY, or NOT_CONFIRMED when the user says no; by flag also PLAN_STALE and
            PLAN_HAS_COMMENTS.
        ModelFailure: the run is paused, and can go on later.
    """
    await put_in_order(ws)
    tell_half_rolled_back(ws, session_id)
    document = read_document(ws, path)
    plan = document.complete()
    _check_lint(ws, document)
    if confirmation is Confirmation.BY_FLAG:
        _check_comments(document)
    _steps_to_run(plan, only_steps)
    ws.check_idle(session_id)
    may_ask = confirmation is not Confirmation.BY_FLAG
    freshness = RunFreshness(ws, session_id, document, may_ask=may_ask)
    await _check_fresh(ws, session_id, document, freshness)
    await _confirm(ws, session_id, document, confirmation, seen_hash)
    withdraw_questions(ws, document.path)
    with sole_run(ws, f"{document.path}: {plan.goal}"):
        await take_out_ended(ws, document.path)
        now = read_document(ws, document.path)
        if not is_approved(ws, now):
            raise _changed_meanwhile(document)
        steps = _steps_to_run(now.complete(), only_steps)
        ws.check_idle(session_id)
        freshness.begin()
        execution = _begin(ws, session_id, now, wish, only_steps)
        run = Run(execution, now, steps, freshness, may_ask, ws.ports.clock.seconds())
        try:
            with contextlib.suppress(Stopped):
                await ws.work(session_id, carry_out(ws, run))
        finally:
            await hooks_after_run(ws, run.execution)
    if run.stale is not None:
        raise run.stale
    if run.wish:
        await replan(ws, session_id, document.path, run.wish)
    elif run.execution.status != "paused":
        await heed_unread(ws, session_id)
    return run.execution


def _check_lint(ws: Workspace, document: PlanDocument) -> None:
    error = next((p for p in Linter().lint(ws, document.tree) if p.severity == "error"), None)
    if error is not None:
        raise InvalidInput("PLAN_INVALID", f"{document.path}: {error.message} ({error.code})", error.hint)


def _check_comments(document: PlanDocument) -> None:
    """What somebody wrote to the planner was read by nobody, and a flag says nothing about it."""
    comments = document.tree.comments
    if comments:
        first = f"“{one_line(comments[0].text, 80)}”"
        told = f"a comment that nobody worked in: {first}" if len(comments) == 1 else f"comments, such as {first}"
        hint = "Have the plan revised, take them out, or execute it after a look at it."
        raise Conflict("PLAN_HAS_COMMENTS", f"{document.path} has {told}", hint)


def _steps_to_run(plan: Plan, only: Collection[int]) -> Sequence[Step]:
    """Steps without a result; a mark `running` is what a killed run left behind."""
    missing = sorted(set(only) - {step.step_number for step in plan.steps})
    if missing:
        raise NotFound("STEP_NOT_FOUND", f"the plan has no step {missing[0]}", f"Its steps are 1 to {len(plan.steps)}.")
    chosen = [step for step in plan.steps if not only or step.step_number in only]
    if len(only) == 1:
        return chosen
    left = [step for step in chosen if step.status not in SETTLED]
    if not left:
        which = f"the steps {', '.join(map(str, sorted(only)))}" if only else "all steps"
        raise NotFound(
            "STEP_NOT_FOUND", f"{which} of the plan are done or skipped", "Set a mark back to run a step again."
        )
    return left


async def _confirm(
    ws: Workspace, session_id: str, document: PlanDocument, confirmation: Confirmation, seen_hash: str
) -> None:
    """Make sure that the user has said yes to exactly this text, and keep that."""
    if confirmation is Confirmation.UNLESS_APPROVED and is_approved(ws, document) and not seen_hash:
        return
    is_asked = seen_hash != document.hash and (seen_hash or confirmation is not Confirmation.BY_FLAG)
    if is_asked and not is_yes(await ask_to_execute(ws, session_id, document)):
        raise _not_confirmed(document)
    if read_document(ws, document.path).hash != document.hash:
        raise _changed_meanwhile(document)
    if not is_approved(ws, document):
        await approve_text(ws, session_id, document)


def _not_confirmed(document: PlanDocument) -> Conflict:
    message = f"{document.path} was not executed: you didn't confirm it"
    return Conflict("NOT_CONFIRMED", message, "Execute it when it is right.")


def _changed_meanwhile(document: PlanDocument) -> Conflict:
    hint = "Look at it again, then execute it again."
    return Conflict("PLAN_CHANGED_SINCE_APPROVAL", f"{document.path} changed while you were asked", hint)


async def _check_fresh(ws: Workspace, session_id: str, document: PlanDocument, freshness: RunFreshness) -> None:
    choice = await freshness.check_plan()
    if choice == "replan":
        await replan(ws, session_id, document.path, wish_for(freshness.changed))
        message = f"{document.path} was revised and not executed"
        raise Conflict("NOT_CONFIRMED", message, "Look at the revision, then execute it.")
    if choice == "cancel":
        raise _not_confirmed(document)


def _begin(ws: Workspace, session_id: str, document: PlanDocument, wish: str, only_steps: Collection[int]) -> Execution:
    plan = document.complete()
    execution = Execution(
        id=ws.ports.ids.uuid7(),
        session_id=session_id,
        plan_id=plan.id,
        plan_file=document.path,
        plan_hash=document.hash,
        goal=plan.goal,
        only_steps=tuple(sorted(only_steps)),
        started_at=ws.now(),
    )
    text = document.file.text
    begun = {
        "plan": text,
        "path": document.path,
        "hash": document.hash,
        "only_steps": sorted(only_steps),
        "plan_id": plan.id,
        "after": ws.last_said(session_id),
    }
    ws.ports.journal.append(session_id, execution.id, "run_started", begun)
    enter_mode(ws, session_id, Mode.ACT, "intent" if wish else "execute plan", plan_file=document.path)
    name_session(ws, session_id, plan.goal)
    if wish:
        _tell_wish(ws, execution, wish)
    done = ", ".join(str(step.step_number) for step in plan.steps if step.status in SETTLED)
    before = f" Done or skipped before: {done}." if done else ""
    text = f"Execution of “{plan.goal}” begins.{before}{told_unread(ws, session_id)}"
    ws.say(session_id, "system", text, begins_context=True, for_model=True, execution_id=execution.id)
    ws.ports.records.put_execution(execution)
    return execution


def _tell_wish(ws: Workspace, execution: Execution, wish: str) -> None:
    """Say why the mode is another one: the user pressed nothing that is called so."""
    data = {"plan_id": execution.plan_id, "path": execution.plan_file, "hash": execution.plan_hash}
    ws.record("mode_switched_by_intent", execution.session_id, data)
    text = f"Switched to Act because you wrote “{title_from(wish)}”."
    ws.say(execution.session_id, "system", text, execution_id=execution.id)
    ws.ports.editor.tell(ToolNotice(execution.session_id, "intent", text))
