"""Carry out an approved plan.

This module prepares the first step: the user's yes to exactly this text, and the locks against other runs.
"""

import asyncio
import contextlib
from collections.abc import Collection, Sequence
from enum import Enum, auto

from planact.base.errors import Conflict, InvalidInput, NotFound
from planact.base.text import number_ranges, one_line
from planact.model.notice import ToolNotice
from planact.model.plan import Plan, Step
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.plan.lint_context import replan_feedback
from planact.workflows.history.earlier_answers import add_earlier_answers
from planact.workflows.history.interruption import warn_of_interrupted_rollbacks
from planact.workflows.history.journal_queries import (
    GOES_ON,
    failed_step,
    load_record,
    rebuild_execution,
    runs_of,
    unfinished_runs,
)
from planact.workflows.hooks import hooks_after_run
from planact.workflows.outcomes.judge_waiting import judge_waiting
from planact.workflows.plans.approve import approve_text, check_own
from planact.workflows.plans.ask_to_execute import ask_to_execute, is_yes, withdraw_execute_questions
from planact.workflows.plans.implied_files import find_implied
from planact.workflows.plans.library import PlanDocument, is_approved, is_executed, read_document
from planact.workflows.plans.lint import Linter
from planact.workflows.plans.question_in_plan import remove_resolved_questions
from planact.workflows.runs.carry_context import carried_context
from planact.workflows.runs.freshness import RunFreshness, replan
from planact.workflows.runs.handle_failure import answer_for
from planact.workflows.runs.plan_marks import SETTLED, check_marked
from planact.workflows.runs.queued_messages import handle_unread, unread_as_text
from planact.workflows.runs.recover_runs import recover_runs, sole_run
from planact.workflows.runs.run_files import RunFiles
from planact.workflows.runs.run_plan import RunPlan
from planact.workflows.runs.run_steps import Run, add_summary, has_summary, run_steps
from planact.workflows.sessions.manage import name_session, title_from
from planact.workflows.sessions.roles import load_roles
from planact.workflows.sessions.surroundings import add_surroundings
from planact.workflows.sessions.switch_mode import enter_mode
from planact.workflows.turns.take_turn import TurnTaken
from planact.workflows.workspace import Stopped, Workspace


class Confirmation(Enum):
    """The form of the user's yes: given, by a flag of an unattended run, which doesn't go on with a stale plan; not
    needed, since the text with that hash was judged to be safe; or still to be asked, always or only without an
    approval.
    """

    BY_FLAG = auto()
    UNLESS_SAFE = auto()
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
    resumed_id: str = "",
) -> Execution:
    """Execute what is left of a plan, or some steps of it. Returns the record, also when the run was stopped.

    Args:
        ws: the workspace.
        session_id: the session that works; it is in Act from then on, with the plan in hand.
        path: the plan document.
        confirmation: whether the user still is to be asked.
        only_steps: numbers of the steps to run, in the order of the plan; none = all that are left. Of several, those
            that are done or skipped are left out; a single one is run again.
        seen_hash: hash of the text that the user saw and said yes to, so that another is asked about, or refused by
            flag; empty = none. A plan that isn't the user's own needs it by flag.
        wish: the message in which the user asked for it; empty = they said yes in another way.
        resumed_id: the run to go on with, where it can (`_run_to_go_on`); else, and where empty, a new one begins.

    Raises:
        InvalidInput: PLAN_INVALID, STEP_NOT_FOUND.
        Conflict: PLAN_CHANGED_SINCE_APPROVAL, BUSY, or NOT_CONFIRMED when the user says no; by flag also PLAN_STALE,
            PLAN_HAS_COMMENTS and PLAN_FOREIGN.
        EditFailure: steps are done, and could not be marked.
        ModelFailure: the run is paused, and can go on later.
    """
    await recover_runs(ws)
    warn_of_interrupted_rollbacks(ws, session_id)
    document = read_document(ws, path)
    plan = document.complete()
    check_marked(ws, document.path)
    _check_lint(ws, document)
    if confirmation is Confirmation.BY_FLAG:
        _check_comments(document)
        _check_named(ws, document, seen_hash)
    if done := _killed_when_done(ws, document, only_steps, resumed_id):
        add_summary(ws, done.session_id, done)
        return done
    _steps_to_run(plan, only_steps)
    ws.check_idle(session_id)
    may_ask = confirmation is not Confirmation.BY_FLAG
    freshness = RunFreshness(ws, session_id, document, may_ask=may_ask)
    if execution := await _replan_if_stale(ws, session_id, document, freshness):
        return execution
    await _confirm(ws, session_id, document, confirmation, seen_hash)
    withdraw_execute_questions(ws, document.path)
    with sole_run(ws, f"{document.path}: {plan.goal}"):
        await remove_resolved_questions(ws, document.path)
        await judge_waiting(ws, session_id)
        now = read_document(ws, document.path)
        if not is_approved(ws, now):
            raise _changed_meanwhile(document)
        steps = _steps_to_run(now.complete(), only_steps)
        ws.check_idle(session_id)
        freshness.begin(now)
        earlier = _run_to_go_on(ws, now, resumed_id)
        is_unasked = confirmation is Confirmation.UNLESS_SAFE and seen_hash == document.hash
        execution = _go_on(ws, session_id, earlier) if earlier else _begin(ws, session_id, now, only_steps, is_unasked)
        await _enter(ws, execution, now, wish, is_new=earlier is None)
        started = ws.ports.clock.seconds() - execution.duration
        approved, files = RunPlan.of(ws, now), RunFiles(ws, execution.id, now.path)
        run = Run(execution, now, approved, files, steps, freshness, may_ask, started, _is_unasked(ws, execution.id))
        try:
            with contextlib.suppress(Stopped):
                await ws.work(session_id, run_steps(ws, run))
        finally:
            await hooks_after_run(ws, run.execution)
    if run.stale is not None:
        raise run.stale
    if run.wish:
        revised = await replan(ws, session_id, document.path, run.wish)
        return await execute_accepted(ws, session_id, revised) or run.execution
    if run.execution.status not in ("paused", "aborted") and (planned := await handle_unread(ws, session_id)):
        await execute_accepted(ws, session_id, planned)
    return run.execution


async def execute_accepted(ws: Workspace, session_id: str, taken: TurnTaken) -> Execution | None:
    """Execute the plan that the user accepted in a planning turn; None if they accepted none. Raises as
    `execute_plan`.
    """
    if taken.result.kind != "accepted" or taken.written is None:
        return None
    return await execute_plan(ws, session_id, taken.written.path, Confirmation.UNLESS_APPROVED)


def _check_lint(ws: Workspace, document: PlanDocument) -> None:
    error = next((p for p in Linter().lint(ws, document.tree) if p.severity == "error"), None)
    if error is not None:
        raise InvalidInput("PLAN_INVALID", f"{document.path}: {error.message} ({error.code})", error.hint)


def _check_named(ws: Workspace, document: PlanDocument, seen_hash: str) -> None:
    """A flag is a yes to the text with that hash, else to one that is the user's own."""
    if not seen_hash:
        check_own(ws, document)
    elif seen_hash != document.hash:
        message = f"the text of {document.path} has another hash than the one you gave"
        hint = "Read it again: planact plan show, with --json for its hash."
        raise Conflict("PLAN_CHANGED_SINCE_APPROVAL", message, hint)


def _check_comments(document: PlanDocument) -> None:
    """Refuse a run by flag while the plan has comments that the planner hasn't read."""
    comments = document.tree.comments
    if comments:
        first = f"“{one_line(comments[0].text, 80)}”"
        told = (
            f"a comment that the planner has not read: {first}" if len(comments) == 1 else f"comments, such as {first}"
        )
        hint = "Have the plan revised, take them out, or execute it after a look at it."
        raise Conflict("PLAN_HAS_COMMENTS", f"{document.path} has {told}", hint)


def _killed_when_done(
    ws: Workspace, document: PlanDocument, only_steps: Collection[int], resumed_id: str
) -> Execution | None:
    """Return the run that did all that is asked for, and whose process was killed before it told the user; None where
    steps are left, or the user was told.
    """
    begun = next(iter(ws.ports.journal.runs(document.path, limit=1)), None)
    run = load_record(ws, begun.execution_id) if begun else None
    if run is None or run.status != "success" or run.plan_hash != document.hash or has_summary(ws, run):
        return None
    is_again = run.only_steps == tuple(sorted(only_steps)) and len(only_steps) != 1
    steps = [step for step in document.complete().steps if not only_steps or step.step_number in only_steps]
    is_done = is_again and all(step.status in SETTLED for step in steps)
    return run if is_done or run.id == resumed_id else None


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
    is_asked = seen_hash != document.hash and confirmation is not Confirmation.BY_FLAG
    shown = await asyncio.to_thread(find_implied, ws, document) if is_asked else None
    if is_asked and not is_yes(await ask_to_execute(ws, session_id, document)):
        raise _not_confirmed(document)
    if read_document(ws, document.path).hash != document.hash:
        raise _changed_meanwhile(document)
    if not is_approved(ws, document):
        await approve_text(ws, session_id, document, shown)


def _not_confirmed(document: PlanDocument) -> Conflict:
    message = f"{document.path} was not executed: you didn't confirm it"
    return Conflict("NOT_CONFIRMED", message, "Execute it when it is right.")


def _changed_meanwhile(document: PlanDocument) -> Conflict:
    hint = "Look at it again, then execute it again."
    return Conflict("PLAN_CHANGED_SINCE_APPROVAL", f"{document.path} changed while you were asked", hint)


async def _replan_if_stale(
    ws: Workspace, session_id: str, document: PlanDocument, freshness: RunFreshness
) -> Execution | None:
    """Ask about files that changed since planning. Return the run of the revision, where the user chose to re-plan and
    accepted that; None where they go on.
    """
    choice = await freshness.check_plan()
    if choice == "replan":
        revised = await replan(ws, session_id, document.path, replan_feedback(freshness.changed))
        if execution := await execute_accepted(ws, session_id, revised):
            return execution
        message = f"{document.path} was revised and not executed"
        raise Conflict("NOT_CONFIRMED", message, "Look at the revision, then execute it.")
    if choice == "cancel":
        raise _not_confirmed(document)
    return None


def _run_to_go_on(ws: Workspace, document: PlanDocument, run_id: str) -> Execution | None:
    """Return the run with that id if it can go on: it paused, was stopped or was killed, it is the newest of its plan
    and began with this text, and nothing of it was rolled back. Where that isn't so, what is left is another run.
    """
    begun = next(iter(ws.ports.journal.runs(document.path, limit=1)), None) if run_id else None
    run = rebuild_execution(ws, begun) if begun is not None and begun.execution_id == run_id else None
    has_paused = run is not None and run.status in ("paused", "aborted") and not run.rollbacks
    return run if run is not None and has_paused and run.plan_hash == document.hash else None


def _go_on(ws: Workspace, session_id: str, run: Execution) -> Execution:
    """Let a run go on in a session, which may be another than it began in."""
    ws.ports.journal.append(session_id, run.id, "run_resumed", {"after": ws.last_said(session_id)})
    return run.model_copy(update={**GOES_ON, "session_id": session_id})


def _is_unasked(ws: Workspace, execution_id: str) -> bool:
    return any(begun.data.get("is_unasked") for begun in ws.ports.journal.read(execution_id, ("run_started",)))


def _begin(
    ws: Workspace, session_id: str, document: PlanDocument, only_steps: Collection[int], is_unasked: bool
) -> Execution:
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
    begun = {
        "plan": document.file.text,
        "path": document.path,
        "hash": document.hash,
        "only_steps": sorted(only_steps),
        "plan_id": plan.id,
        "after": ws.last_said(session_id),
        "is_unasked": is_unasked,
    }
    ws.ports.journal.append(session_id, execution.id, "run_started", begun)
    return execution


async def _enter(ws: Workspace, execution: Execution, document: PlanDocument, wish: str, *, is_new: bool) -> None:
    """Prepare the session for a run that begins or goes on, and write its record."""
    session_id, plan = execution.session_id, document.complete()
    enter_mode(ws, session_id, Mode.ACT, "intent" if wish else "execute plan", plan_file=document.path)
    name_session(ws, session_id, plan.goal)
    if wish:
        _add_wish(ws, execution, wish)
    done = number_ranges([step.step_number for step in plan.steps if step.status in SETTLED])
    before = f" Done or skipped before: {done}." if done else ""
    happens = "begins" if is_new else "goes on"
    text = f"Execution of “{plan.goal}” {happens}.{before}{unread_as_text(ws, session_id)}"
    carried = await load_roles([ws], lambda: carried_context(ws, session_id, document))
    is_new_context = not carried.is_whole
    ws.add_message(session_id, "system", text, begins_context=is_new_context, for_model=True, execution_id=execution.id)
    await add_surroundings(ws, session_id)
    if digest := carried.digest:
        ws.add_message(session_id, "system", digest, for_model=True, is_hidden=True, digest_of=document.path)
    add_earlier_answers(ws, session_id, unfinished_runs(ws, document.path))
    ws.ports.records.put_execution(execution)


def _add_wish(ws: Workspace, execution: Execution, wish: str) -> None:
    """Tell the user why the mode changed, since they pressed no button for it."""
    data = {"plan_id": execution.plan_id, "path": execution.plan_file, "hash": execution.plan_hash}
    ws.record("mode_switched_by_intent", execution.session_id, data)
    text = f"Switched to Act because you wrote “{title_from(wish)}”."
    ws.add_message(execution.session_id, "system", text, execution_id=execution.id)
    ws.ports.editor.notify(ToolNotice(execution.session_id, "intent", text))


async def retry_step(ws: Workspace, session_id: str, path: str, number: int, *, seen_hash: str = "") -> Execution:
    """Run a failed step once more; the agent is told what failed. Return the record: the current one, where a waiting
    run goes on with the step.

    Raises:
        NotFound: STEP_NOT_FOUND.
        Conflict: MODE_CONFLICT, when the step has not failed. All errors of `execute_plan`.
    """
    document = read_document(ws, path)
    failed_step(document, number)
    was_asked = answer_for(ws, document.path, number, "retry")
    if was_asked and is_executed(ws, document.path):
        return next(runs_of(ws, document.path))
    return await execute_plan(
        ws, session_id, document.path, Confirmation.UNLESS_APPROVED, only_steps=(number,), seen_hash=seen_hash
    )
