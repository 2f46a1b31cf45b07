"""The steps of a run, one by one, from the first mark to the record of how it ended.

For each step: journal, mark, work, checks, journal, mark. The journal is always ahead of the marks, so a run that is
killed anywhere can go on at the first step without a recorded result. Where a step fails, the user says what then.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from planact.base.errors import Conflict
from planact.model.chat.message import Usage
from planact.model.notice import ExecutionProgress
from planact.model.plan import PlanStatus, Step, StepStatus
from planact.model.question import AskedInStep, QuestionSet
from planact.model.runs.execution import Adaptation, Execution, ExecutionStatus, StepRecord
from planact.plan.lint_context import replan_feedback
from planact.tools.commands.background import Background
from planact.tools.shielded import run_shielded
from planact.tools.turn import EndTurn
from planact.workflows.history.interruption import may_run_again
from planact.workflows.history.journal_queries import last_failure, usage_of_run
from planact.workflows.history.report import summary
from planact.workflows.hooks import hooks_after_step, why_hooks_pause
from planact.workflows.plans.amend import PlannedStep
from planact.workflows.plans.library import PlanDocument
from planact.workflows.questions.answers_as_result import agent_subject
from planact.workflows.questions.use_approvals import use_approvals
from planact.workflows.run_end import status_of_end
from planact.workflows.runs.checks.check_before import check_before
from planact.workflows.runs.freshness import RunFreshness
from planact.workflows.runs.handle_failure import (
    FailureChoice,
    ask_about_failure,
    failure_text,
    resume_failure_question,
    withdraw_failures,
)
from planact.workflows.runs.plan_marks import (
    SETTLED,
    mark_adaptation,
    mark_end,
    mark_plan,
    mark_step,
    note_marked,
    unmarked_steps,
)
from planact.workflows.runs.recover_runs import record_made_changes
from planact.workflows.runs.run_files import RunFiles
from planact.workflows.runs.run_plan import RunPlan
from planact.workflows.runs.run_step import StepResult, run_step
from planact.workflows.runs.save_files import unsaved_line
from planact.workflows.workspace import Workspace

_End = tuple[ExecutionStatus, str]


@dataclass(slots=True)
class Run:
    """A run, and what it has come to.

    Attributes:
        may_ask: whether there is a user to be asked.
        is_unasked: it began without a yes of the user's, since its plan is safe.
        started: when, on a clock of seconds; less the time that it took before it paused.
        stale: it may not ask about files that changed, and pauses.
        wish: how the plan is to be revised when the run has paused; empty = not at all.
        records: each attempt at a step.
        background: what its steps have started, and what ends with it.
        unmarked: numbers of steps whose marks could not be made.
        untold: adaptations that aren't in the document yet.

    What all records come to is added up as they come, since a run may have thousands.
    """

    execution: Execution
    document: PlanDocument
    plan: RunPlan
    files: RunFiles
    steps: Sequence[Step]
    freshness: RunFreshness
    may_ask: bool
    started: float
    is_unasked: bool = False
    stale: Conflict | None = None
    wish: str = ""
    records: list[StepRecord] = field(default_factory=list)
    background: Background = field(default_factory=Background)
    unmarked: set[int] = field(default_factory=set)
    untold: list[tuple[Step, Adaptation]] = field(default_factory=list)
    _last: dict[int, StepRecord] = field(default_factory=dict)
    _usage: Usage = field(default_factory=Usage)
    _adaptations: dict[Adaptation, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for record in self.execution.steps:
            self.add(record)

    def add(self, record: StepRecord) -> Sequence[Adaptation]:
        """Add the record of an attempt; return those of its adaptations that no earlier one tells of."""
        told = [adaptation for adaptation in record.adaptations if adaptation not in self._adaptations]
        self.records.append(record)
        self._last[record.step_number] = record
        self._usage = self._usage.plus(record.usage)
        self._adaptations |= dict.fromkeys(told)
        return tuple(dict.fromkeys(told))

    def amend(self, ws: Workspace, document: PlanDocument) -> None:
        """Go on with the plan as it is since the user added files to a step."""
        self.document, self.plan = document, RunPlan.of(ws, document)
        self.execution = self.execution.model_copy(update={"plan_hash": document.hash})

    def last(self, step: Step) -> StepRecord | None:
        """Return the record of the step's last attempt in this run."""
        return self._last.get(step.step_number)

    def recorded(self) -> dict[str, Any]:
        """Return the fields of the run's record on its steps: `adaptations_of` and `usage_of_steps`."""
        return {"steps": tuple(self.records), "adaptations": tuple(self._adaptations), "usage": self._usage}


async def run_steps(ws: Workspace, run: Run) -> None:
    """Run the steps, and leave records and marks in order however the run ends."""
    run.unmarked |= unmarked_steps(ws, run.execution.id)
    begun = len(run.records)
    try:
        await mark_plan(ws, run.execution, PlanStatus.RUNNING)
        status, reason = await _run_steps(ws, run)
    except BaseException as error:
        done = {record.step_number for record in run.records[begun:] if record.status is StepStatus.DONE}
        is_done = done.issuperset(step.step_number for step in run.steps)  # as after a kill at this point
        status, reason = ("success", "") if is_done else status_of_end(error)
        raise
    finally:
        await run_shielded(_end(ws, run, status, reason))


async def _run_steps(ws: Workspace, run: Run) -> _End:
    if pauses := await why_hooks_pause(ws, run.execution, "Execution"):
        return "paused", pauses
    plan = run.document.complete()
    checks = [*(check for step in run.steps for check in step.validation_checks), *plan.validation_commands]
    failing = await check_before(ws, run.execution, checks)
    run.execution = run.execution.model_copy(update={"checks_before": failing})
    left = {step.step_number for step in plan.steps if step.status not in SETTLED}
    for step in run.steps:
        left.discard(step.step_number)
        try:
            asked_in = AskedInStep(number=step.step_number, action=step.action)
            with ws.questions.in_run(run.execution.session_id, run.execution.id, asked_in):
                ended = await _finish_step(ws, run, step, is_last=not left)
        except EndTurn as end:
            ended = "paused", end.reason
        if ended is not None:
            return ended
    last = {record.step_number: record.status for record in run.records}
    given_up = [str(number) for number, status in last.items() if status is StepStatus.SKIPPED]
    return (_short_of_success(run), f"skipped after a failure: {', '.join(given_up)}") if given_up else ("success", "")


async def _finish_step(ws: Workspace, run: Run, step: Step, *, is_last: bool) -> _End | None:
    """Run a step until it is done or the user goes on without it; how the run ends, if it ends here."""
    execution = run.execution
    failed, choice = await _left_open(ws, run, step)
    while True:
        match choice:
            case "retry":
                pass
            case "skip":
                await _skip(ws, run, step)
                return None
            case "replan":
                assert failed is not None
                run.wish = f"Step {step.step_number} ({step.action}) failed: {failure_text(failed)}"
                return "paused", f"step {step.step_number} failed, and the plan is to be revised"
            case "stop":
                return _short_of_success(run), failed.error if failed else ""
            case _:
                assert_never(choice)
        pauses = await _check_step(ws, run, step) or await why_hooks_pause(ws, execution, "Step", step.step_number)
        if pauses:
            return "paused", pauses
        end = await _attempt(ws, run, step, failed, is_last=is_last)
        if end.pauses:
            return _end_of_attempt(run, step, end)
        failed = end.record
        if failed.status is StepStatus.DONE:
            return None
        if not run.may_ask:
            return _short_of_success(run), failed.error
        choice = await ask_about_failure(ws, execution.session_id, execution.plan_file, execution.id, failed)


def _end_of_attempt(run: Run, step: Step, end: StepResult) -> _End:
    """Return how the run ends with a step that has no result; the user may have had the plan revised by that."""
    if end.kind == "replan":
        run.wish = f"In step {step.step_number} ({step.action}): {end.pauses}"
    return "aborted" if end.kind == "cancelled" else "paused", end.pauses


async def _left_open(ws: Workspace, run: Run, step: Step) -> tuple[StepRecord | None, FailureChoice]:
    """Return the step's failure in an earlier run, and the user's choice about it, since they have begun this run."""
    execution = run.execution
    before = last_failure(ws, execution.plan_file, step) if step.status is StepStatus.FAILED else None
    if before is None:
        return None, "retry"
    run_id, failed = before
    choice = await resume_failure_question(
        ws, execution.session_id, execution.plan_file, run_id, failed, may_ask=run.may_ask
    )
    return failed, choice or "retry"


async def _attempt(ws: Workspace, run: Run, step: Step, failed: StepRecord | None, *, is_last: bool) -> StepResult:
    """Try a step once; `failed` is what came of it before."""
    execution, last = run.execution, run.last(step)
    attempt = last.attempt + 1 if last else 1
    withdraw_failures(ws, execution.plan_file, "the step is tried again", step.step_number)
    again = " again" if failed else ""
    _progress(ws, run, f"Step {step.step_number} of {len(run.plan.plan.steps)}{again}: {step.action}", step)
    data = {"step": step.model_dump(mode="json"), "attempt": attempt}
    ws.ports.journal.append(execution.session_id, execution.id, "step_started", data)
    ws.record("step_started", execution.session_id, _which(run, step))
    end: StepResult | None = None
    doing = _planned(run, step)
    try:
        if not await mark_step(ws, execution, step, StepStatus.RUNNING):
            # Both raise on a full disk: without any mark, the step would be carried out again by the next run.
            ws.ports.journal.append(
                execution.session_id, execution.id, "mark_missing", {"step_number": step.step_number}
            )
            run.unmarked.add(step.step_number)
            _keep(ws, run, "running", "")
        ws.questions.reserve_answers(execution.session_id)
        run.plan = RunPlan.of(ws, run.document, run.plan)
        end = await run_step(
            *(ws, execution, doing, run.plan, step, failed, run.background, run.files.touched()),
            is_last=is_last,
        )
    finally:
        if end is None:  # cancelled, or the model is gone: the journal has its acts so far
            _release_answers(ws, run, step, are_used=False)
            await run_shielded(mark_step(ws, run.execution, step, StepStatus.PENDING))
        if doing.amended is not None:
            _release_answers(ws, run, step, are_used=end is not None and end.record.status in SETTLED)
            run.amend(ws, doing.amended)
    end = replace(end, record=end.record.model_copy(update={"attempt": attempt}))
    await _end_step(ws, run, step, end.record)
    return end


async def _skip(ws: Workspace, run: Run, step: Step) -> None:
    """Go on without a step that failed, since the user says so."""
    last = run.last(step)
    record = StepRecord(
        step_number=step.step_number,
        action=step.action,
        status=StepStatus.SKIPPED,
        attempt=last.attempt if last else 1,
        output="You went on without it after it had failed.",
    )
    await _end_step(ws, run, step, record)


def _short_of_success(run: Run) -> ExecutionStatus:
    return "partial_success" if any(record.status is StepStatus.DONE for record in run.records) else "failed"


async def _check_step(ws: Workspace, run: Run, step: Step) -> str:
    """Return the reason why the run must pause before the step; empty = its files are unchanged, or the user accepts
    the changes.
    """
    if pauses := await may_run_again(ws, run.execution.session_id, run.document.path, step):
        return pauses
    try:
        choice = await run.freshness.check_step(run.files, step)
    except Conflict as conflict:
        run.stale = conflict
        return conflict.message
    if choice == "replan":
        run.wish = replan_feedback(run.freshness.changed)
    return "" if choice == "go_on" else f"files changed before step {step.step_number}"


async def _end_step(ws: Workspace, run: Run, step: Step, record: StepRecord) -> None:
    """The journal, then the record, then the mark."""
    session_id = run.execution.session_id
    ws.ports.journal.append(session_id, run.execution.id, "step_finished", record.model_dump(mode="json"))
    run.untold += [(step, adaptation) for adaptation in run.add(record)]
    _release_answers(ws, run, step, are_used=record.status in SETTLED)
    data = {**_which(run, step), "status": record.status.value, "seconds": round(record.duration, 3)}
    ws.record("step_finished", session_id, data)
    _keep(ws, run, "running", "")
    await run_shielded(_mark_end_of_step(ws, run, step, record))
    _progress(ws, run, f"Step {step.step_number}: {record.status.value}", step)
    await hooks_after_step(ws, run.execution, step.step_number, record.status.value)


async def _mark_end_of_step(ws: Workspace, run: Run, step: Step, record: StepRecord) -> None:
    if await mark_step(ws, run.execution, step, record.status):
        _note_marked(ws, run, {step.step_number})
    for at, adaptation in [*run.untold]:
        if await mark_adaptation(ws, run.execution, at, adaptation):
            run.untold.remove((at, adaptation))


def _planned(run: Run, step: Step) -> PlannedStep:
    return PlannedStep(run.document.path, run.document.hash, step.step_number, is_unasked=run.is_unasked)


def _release_answers(ws: Workspace, run: Run, step: Step, *, are_used: bool) -> None:
    execution = run.execution
    subject = agent_subject(_planned(run, step).subject)
    ws.questions.release_answers(execution.session_id, subject, are_used=are_used)

    def is_past(asked: QuestionSet) -> bool:
        is_of_run = (asked.purpose, asked.execution_id) == ("approval", execution.id)
        return is_of_run and asked.step is not None and asked.step.number == step.step_number

    if are_used:
        ws.questions.cancel_where(is_past, "the step that it was for is done")
        use_approvals(ws.ports, execution.session_id, is_past)


def _which(run: Run, step: Step) -> dict[str, str | int]:
    """The step, for events."""
    return {"execution_id": run.execution.id, "plan_id": run.execution.plan_id, "step": step.step_number}


async def _end(ws: Workspace, run: Run, status: ExecutionStatus, reason: str) -> None:
    session_id = run.execution.session_id
    await run.background.end()
    record_made_changes(ws, session_id, run.execution.id)
    data = {"status": status, "reason": reason}
    ws.ports.journal.append(session_id, run.execution.id, "run_finished", data)
    _keep(ws, run, status, reason)
    if await mark_end(ws, run.execution, unmarked=run.unmarked, untold=run.untold):
        _note_marked(ws, run, {*run.unmarked})
    about = {"execution_id": run.execution.id, "plan_id": run.execution.plan_id}
    ws.record("execution_finished", session_id, {**about, **data})
    add_summary(ws, session_id, run.execution)
    _progress(ws, run, f"{status.replace('_', ' ')}{f': {reason}' if reason else ''}")


def _note_marked(ws: Workspace, run: Run, steps: set[int]) -> None:
    note_marked(ws, run.execution, steps & run.unmarked)
    run.unmarked -= steps


def add_summary(ws: Workspace, session_id: str, execution: Execution) -> None:
    """Tell in a session how a run ended."""
    ws.add_message(
        session_id,
        "system",
        f"{summary(execution)}{unsaved_line(ws, execution)}",
        execution_id=execution.id,
        plan_id=execution.plan_id,
        is_summary=True,
    )


def has_summary(ws: Workspace, execution: Execution) -> bool:
    """The end of a run was told in its session since it last began or went on, or the session is gone."""
    if not any(session.id == execution.session_id for session in ws.ports.sessions.list()):
        return True
    for message in reversed(ws.ports.sessions.messages(execution.session_id)):
        if message.metadata.get("execution_id") == execution.id and "begins_context" in message.metadata:
            return False
        if message.metadata.get("execution_id") == execution.id and message.metadata.get("is_summary"):
            return True
    return False


def _keep(ws: Workspace, run: Run, status: ExecutionStatus, reason: str) -> None:
    is_over = status != "running"
    run.execution = run.execution.model_copy(
        update={
            "status": status,
            "reason": reason,
            "finished_at": ws.now() if is_over else "",
            "duration": ws.ports.clock.seconds() - run.started,
            **run.recorded(),
            **({"usage": usage_of_run(ws, run.execution.id, run.records)} if is_over else {}),
        }
    )
    ws.ports.records.put_execution(run.execution, is_passing=not is_over)


def _progress(ws: Workspace, run: Run, text: str, step: Step | None = None) -> None:
    settled = {record.step_number for record in run.records if record.status in SETTLED} - run.plan.settled
    ws.ports.editor.notify(
        ExecutionProgress(
            execution=run.execution,
            text=text,
            step=step.step_number if step else 0,
            action=step.action if step else "",
            of=len(run.plan.plan.steps),
            finished=len(run.plan.settled) + len(settled),
        )
    )
