"""Carry out an approved plan, step by step.

For each step: journal, mark, work, checks, journal, mark. The journal is always ahead of the marks, so a run that is
killed anywhere can go on at the first step without a recorded result.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from planact.base.errors import Conflict, EditFailure, InvalidInput, ModelFailure, NotFound, PlanactError
from planact.model.execution import Adaptation, Execution, ExecutionStatus, StepRecord
from planact.model.notice import ExecutionProgress, ToolNotice
from planact.model.permission import Mode
from planact.model.plan import Plan, PlanStatus, Step, StepStatus
from planact.model.usage import Usage
from planact.plan.edits import Edits, add_adaptation, set_mark, set_status
from planact.plan.tree import PlanTree
from planact.tools.permit import EndTurn, finish
from planact.workflows.approve_plan import approve_text
from planact.workflows.ask_to_execute import ask_to_execute, is_yes, withdraw_questions
from planact.workflows.heed_changes import replan
from planact.workflows.library import PlanDocument, edit_document, is_approved, read_document
from planact.workflows.lint_plan import Linter
from planact.workflows.question_in_plan import take_out_ended
from planact.workflows.resume_execution import draw_missing_marks
from planact.workflows.run_freshness import RunFreshness
from planact.workflows.run_step import StepEnd, run_step
from planact.workflows.sessions import title_from
from planact.workflows.sole_run import sole_run
from planact.workflows.switch_mode import enter_mode
from planact.workflows.workspace import Stopped, Workspace

_SETTLED = (StepStatus.DONE, StepStatus.SKIPPED)
_DRAWINGS = 3
"""How often a mark is tried, when the user is typing in the document."""


class Confirmation(Enum):
    """How the user says yes: they have, by a flag of a run that nobody watches, which goes on with no stale plan; or
    they are still to be asked, always or only if they haven't approved it yet.
    """

    BY_FLAG = auto()
    UNLESS_APPROVED = auto()
    ASK = auto()


@dataclass(slots=True)
class _Run:
    """What the run has come to. `stale` = it may not ask about files that changed, and pauses."""

    execution: Execution
    document: PlanDocument
    steps: Sequence[Step]
    freshness: RunFreshness
    stale: Conflict | None = None
    is_to_be_replanned: bool = False
    records: list[StepRecord] = field(default_factory=list)


async def execute_plan(
    ws: Workspace,
    session_id: str,
    path: str,
    confirmation: Confirmation,
    *,
    step: int | None = None,
    seen_hash: str = "",
    wish: str = "",
) -> Execution:
    """Execute what is left of a plan, or one step of it. Returns the record, also when the run was stopped.

    Args:
        ws: the workspace.
        session_id: the session that works; it is in Act from then on, with the plan in hand.
        path: the plan document.
        confirmation: whether the user still is to be asked.
        step: number of the one step to run; None = all that are left.
        seen_hash: hash of the text that the user saw and said yes to, so that another is asked about; empty = none.
        wish: the message in which the user asked for it; empty = they said yes in another way.

    Raises:
        InvalidInput: PLAN_INVALID, STEP_NOT_FOUND.
        Conflict: PLAN_CHANGED_SINCE_APPROVAL, PLAN_STALE by flag, BUSY, or NOT_CONFIRMED when the user says no.
        ModelFailure: the run is paused, and can go on later.
    """
    document = read_document(ws, path)
    plan = document.complete()
    _check_lint(ws, document)
    _steps_to_run(plan, step)
    ws.check_idle(session_id)
    freshness = RunFreshness(ws, session_id, document, may_ask=confirmation is not Confirmation.BY_FLAG)
    await _check_fresh(ws, session_id, document, freshness)
    await _confirm(ws, session_id, document, confirmation, seen_hash)
    withdraw_questions(ws, document.path)
    with sole_run(ws, f"{document.path}: {plan.goal}"):
        await take_out_ended(ws, document.path)
        await draw_missing_marks(ws, session_id, document.path)
        now = read_document(ws, document.path)
        if not is_approved(ws, now):
            raise _changed_meanwhile(document)
        steps = _steps_to_run(now.complete(), step)
        ws.check_idle(session_id)
        freshness.begin()
        run = _Run(_begin(ws, session_id, now, wish), now, steps, freshness)
        _keep(ws, run, "running", "")
        with contextlib.suppress(Stopped):
            await ws.work(session_id, _carry_out(ws, run))
    if run.stale is not None:
        raise run.stale
    if run.is_to_be_replanned:
        await replan(ws, session_id, document.path, freshness.changed)
    return run.execution


def _check_lint(ws: Workspace, document: PlanDocument) -> None:
    error = next((p for p in Linter().lint(ws, document.tree) if p.severity == "error"), None)
    if error is not None:
        raise InvalidInput("PLAN_INVALID", f"{document.path}: {error.message} ({error.code})", error.hint)


def _steps_to_run(plan: Plan, number: int | None) -> Sequence[Step]:
    """Steps without a result; a mark `running` is what a killed run left behind."""
    if number is not None:
        chosen = [step for step in plan.steps if step.step_number == number]
        if not chosen:
            raise NotFound("STEP_NOT_FOUND", f"the plan has no step {number}", f"Its steps are 1 to {len(plan.steps)}.")
        return chosen
    left = [step for step in plan.steps if step.status not in _SETTLED]
    if not left:
        raise NotFound(
            "STEP_NOT_FOUND", "all steps of the plan are done or skipped", "Set a mark back to run a step again."
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
        approve_text(ws, session_id, document)


def _not_confirmed(document: PlanDocument) -> Conflict:
    message = f"{document.path} was not executed: you didn't confirm it"
    return Conflict("NOT_CONFIRMED", message, "Execute it when it is right.")


def _changed_meanwhile(document: PlanDocument) -> Conflict:
    hint = "Look at it again, then execute it again."
    return Conflict("PLAN_CHANGED_SINCE_APPROVAL", f"{document.path} changed while you were asked", hint)


async def _check_fresh(ws: Workspace, session_id: str, document: PlanDocument, freshness: RunFreshness) -> None:
    choice = await freshness.check_plan()
    if choice == "replan":
        await replan(ws, session_id, document.path, freshness.changed)
        message = f"{document.path} was revised and not executed"
        raise Conflict("NOT_CONFIRMED", message, "Look at the revision, then execute it.")
    if choice == "cancel":
        raise _not_confirmed(document)


def _begin(ws: Workspace, session_id: str, document: PlanDocument, wish: str) -> Execution:
    plan = document.complete()
    execution = Execution(
        id=ws.ports.ids.uuid7(),
        session_id=session_id,
        plan_id=plan.id,
        plan_file=document.path,
        plan_hash=document.hash,
        goal=plan.goal,
        started_at=ws.now(),
    )
    ws.ports.journal.append(
        session_id, execution.id, "run_started", {"plan": document.file.text, "path": document.path}
    )
    enter_mode(ws, session_id, Mode.ACT, "intent" if wish else "execute plan", plan_file=document.path)
    if wish:
        _tell_wish(ws, execution, wish)
    done = ", ".join(str(step.step_number) for step in plan.steps if step.status in _SETTLED)
    text = f"Execution of “{plan.goal}” begins.{f' Done or skipped before: {done}.' if done else ''}"
    ws.say(session_id, "system", text, begins_context=True, for_model=True, execution_id=execution.id)
    return execution


def _tell_wish(ws: Workspace, execution: Execution, wish: str) -> None:
    """Say why the mode is another one: the user pressed nothing that is called so."""
    data = {"plan_id": execution.plan_id, "path": execution.plan_file, "hash": execution.plan_hash}
    ws.record("mode_switched_by_intent", execution.session_id, data)
    text = f"Switched to Act because you wrote “{title_from(wish)}”."
    ws.say(execution.session_id, "system", text, execution_id=execution.id)
    ws.ports.editor.tell(ToolNotice(execution.session_id, "intent", text))


async def _carry_out(ws: Workspace, run: _Run) -> None:
    status: ExecutionStatus = "aborted"
    reason = "interrupted"
    try:
        await _mark_plan(ws, run, PlanStatus.RUNNING)
        status, reason = await _run_steps(ws, run)
    except asyncio.CancelledError:
        status, reason = "paused", "stopped by the user"
        raise
    except ModelFailure as failure:
        status, reason = "paused", str(failure)
        raise
    except PlanactError as error:
        status, reason = "failed", str(error)
        raise
    finally:
        await finish(_end(ws, run, status, reason))


async def _run_steps(ws: Workspace, run: _Run) -> tuple[ExecutionStatus, str]:
    plan = run.document.complete()
    left = {step.step_number for step in plan.steps if step.status not in _SETTLED}
    for step in run.steps:
        if pauses := await _check_step(run, step):
            return "paused", pauses
        left.discard(step.step_number)
        _progress(ws, run, f"Step {step.step_number} of {len(plan.steps)}: {step.action}")
        ws.ports.journal.append(
            run.execution.session_id, run.execution.id, "step_started", {"step": step.model_dump(mode="json")}
        )
        ws.record("step_started", run.execution.session_id, _which(run, step))
        end: StepEnd | None = None
        try:
            await _mark_step(ws, run, step, StepStatus.RUNNING)
            end = await run_step(ws, run.execution, run.document, step, is_last=not left)
        finally:
            if end is None:  # cancelled, or the model is gone: what it did so far is in the journal
                await finish(_mark_step(ws, run, step, StepStatus.PENDING))
        await _end_step(ws, run, step, end)
        if end.pauses:
            return "paused", end.pauses
        if end.record.status is StepStatus.FAILED:
            done = any(record.status is StepStatus.DONE for record in run.records)
            return "partial_success" if done else "failed", end.record.error
    return "success", ""


async def _check_step(run: _Run, step: Step) -> str:
    """Why the run must pause before the step, empty = its files are as they should be, or the user goes on."""
    try:
        choice = await run.freshness.check_step(run.execution.id, step)
    except EndTurn as end:
        return end.reason
    except Conflict as conflict:
        run.stale = conflict
        return conflict.message
    run.is_to_be_replanned = choice == "replan"
    return "" if choice == "go_on" else f"files changed before step {step.step_number}"


async def _end_step(ws: Workspace, run: _Run, step: Step, end: StepEnd) -> None:
    """The journal, then the record, then the mark."""
    record = end.record
    run.records.append(record)
    session_id = run.execution.session_id
    ws.ports.journal.append(session_id, run.execution.id, "step_finished", record.model_dump(mode="json"))
    data = {**_which(run, step), "status": record.status.value, "seconds": round(record.duration, 3)}
    ws.record("step_finished", session_id, data)
    _keep(ws, run, "running", "")
    await finish(_mark_step(ws, run, step, record.status))
    for adaptation in record.adaptations:
        await _draw_adaptation(ws, run, step, adaptation)
    _progress(ws, run, f"Step {step.step_number}: {record.status.value}")


def _which(run: _Run, step: Step) -> dict[str, str | int]:
    """The step, for events."""
    return {"execution_id": run.execution.id, "plan_id": run.execution.plan_id, "step": step.step_number}


async def _end(ws: Workspace, run: _Run, status: ExecutionStatus, reason: str) -> None:
    session_id = run.execution.session_id
    data = {"status": status, "reason": reason}
    ws.ports.journal.append(session_id, run.execution.id, "run_finished", data)
    _keep(ws, run, status, reason)
    await _mark_plan(ws, run, _plan_status(run, status))
    about = {"execution_id": run.execution.id, "plan_id": run.execution.plan_id}
    ws.record("execution_finished", session_id, {**about, **data})
    ws.say(session_id, "system", summary(run.execution), execution_id=run.execution.id)
    _progress(ws, run, f"{status.replace('_', ' ')}{f': {reason}' if reason else ''}")


def _plan_status(run: _Run, status: ExecutionStatus) -> PlanStatus:
    """A plan of which single steps were run is not done before all are."""
    if status == "success":
        done = {record.step_number for record in run.records}
        left = [s for s in run.document.complete().steps if s.status not in _SETTLED and s.step_number not in done]
        return PlanStatus.PAUSED if left else PlanStatus.DONE
    by_status = {"paused": PlanStatus.PAUSED, "partial_success": PlanStatus.PARTIAL, "failed": PlanStatus.FAILED}
    return by_status.get(status, PlanStatus.ABORTED)


def summary(execution: Execution) -> str:
    """What became of a run, for people."""
    lines = [f"{execution.goal or 'Work without a plan'}: {execution.status.replace('_', ' ')}"]
    if execution.reason:
        lines[0] += f" ({execution.reason})"
    for record in execution.steps:
        parts = [f"{record.duration:.0f} s"]
        if record.files:
            parts.append(", ".join(change.path for change in record.files))
        parts += [f"check {'passed' if check.passed else 'failed'}: {check.command}" for check in record.checks]
        lines.append(f"{record.step_number}. {record.action}: {record.status.value} ({'; '.join(parts)})")
    return "\n".join(lines)


def _keep(ws: Workspace, run: _Run, status: ExecutionStatus, reason: str) -> None:
    usage = Usage()
    for record in run.records:
        usage = usage.plus(record.usage)
    run.execution = run.execution.model_copy(
        update={
            "status": status,
            "reason": reason,
            "steps": tuple(run.records),
            "usage": usage,
            "finished_at": "" if status == "running" else ws.now(),
        }
    )
    ws.ports.records.put_execution(run.execution)


def _progress(ws: Workspace, run: _Run, text: str) -> None:
    ws.ports.editor.tell(ExecutionProgress(run.execution, text))


async def _mark_step(ws: Workspace, run: _Run, step: Step, status: StepStatus) -> None:
    await _draw(ws, run, lambda tree: set_mark(tree, _number_now(tree, step), status))


async def _draw_adaptation(ws: Workspace, run: _Run, step: Step, adaptation: Adaptation) -> None:
    await _draw(ws, run, lambda tree: add_adaptation(tree, _number_now(tree, step), adaptation))


async def _mark_plan(ws: Workspace, run: _Run, status: PlanStatus) -> None:
    await _draw(ws, run, lambda tree: set_status(tree, status))


def _number_now(tree: PlanTree, step: Step) -> int:
    """The step's number in the document, where the user may have put others before it meanwhile."""
    numbers = [node.step_number for node in tree.steps if node.action == step.action]
    if step.step_number in numbers:
        return step.step_number
    if len(numbers) == 1:
        return numbers[0]
    raise NotFound("STEP_NOT_FOUND", f"step {step.step_number} reads otherwise now", "It is not marked.")


async def _draw(ws: Workspace, run: _Run, change: Callable[[PlanTree], Edits]) -> None:
    """Marks are a picture of the journal: one that can't be drawn, because the user is typing there or has deleted the
    document, stops nothing.
    """
    problem = ""
    for _ in range(_DRAWINGS):
        try:
            document = read_document(ws, run.document.path)
            await edit_document(ws, run.execution.session_id, document, change(document.tree), "Mark the plan")
        except EditFailure as failure:
            problem = failure.message
        except InvalidInput as error:
            problem = error.message
            break
        else:
            return
    _progress(ws, run, f"the plan document could not be marked: {problem}")
