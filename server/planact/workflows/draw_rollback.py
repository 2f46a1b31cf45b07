"""Shows in plan documents and records what was rolled back, also after a rollback that was killed before it could."""

from collections.abc import Sequence

from planact.base.errors import NotFound
from planact.model.execution import Execution, Rollback
from planact.model.notice import ExecutionProgress
from planact.model.plan import PlanStatus, StepStatus
from planact.workflows.draw_run import mark_plan, mark_step
from planact.workflows.heed_failure import withdraw_failures
from planact.workflows.journaled import record_of
from planact.workflows.library import is_approved, read_document
from planact.workflows.undo_log import undo_log
from planact.workflows.workspace import Workspace


def undrawn(ws: Workspace, run: Execution) -> Sequence[Rollback]:
    """What was taken back of a run and isn't in its record."""
    return [each for each in undo_log(ws, run.id).rollbacks if each not in run.rollbacks]


def runs_to_draw(ws: Workspace) -> Sequence[Execution]:
    """The runs of whose rollbacks some aren't in their records; quick where there are few."""
    counts = ws.ports.journal.runs_with("rollback_finished")
    records = ((record_of(ws, run_id), count) for run_id, count in counts.items())
    return [run for run, count in records if run and len(run.rollbacks) < count and undrawn(ws, run)]


async def draw_rollbacks(ws: Workspace, run: Execution) -> Execution:
    """Show in the plan, and then in the record, what the journal says was taken back: what isn't in the record yet may
    be missing in the plan too.
    """
    log = undo_log(ws, run.id)
    new = {step for each in undrawn(ws, run) for step in each.steps}
    if run.plan_file:
        for number in sorted(new):
            step = log.steps.get(number)
            if step is not None and not _stands_elsewhere(ws, run, number):
                withdraw_failures(ws, run.plan_file, "the step was rolled back", number)
                await mark_step(ws, run, step, StepStatus.PENDING)
        await _mark_plan(ws, run)
    run = run.model_copy(update={"rollbacks": tuple(log.rollbacks)})
    ws.ports.records.put_execution(run)
    steps = ", ".join(map(str, sorted(new)))
    ws.ports.editor.tell(ExecutionProgress(run, f"Rolled back: step {steps}" if any(new) else "Rolled back"))
    return run


def _stands_elsewhere(ws: Workspace, run: Execution, number: int) -> bool:
    """Whether another run has done the step too, so that its mark is still right."""
    others = [begun.execution_id for begun in ws.ports.journal.runs(run.plan_file) if begun.execution_id != run.id]
    return any(number in log.done for log in (undo_log(ws, other) for other in others))


async def _mark_plan(ws: Workspace, run: Execution) -> None:
    try:
        document = read_document(ws, run.plan_file)
    except NotFound:
        return
    marks = {step.status for step in document.tree.steps}
    if marks & {StepStatus.DONE, StepStatus.FAILED, StepStatus.RUNNING}:
        status = PlanStatus.PAUSED
    else:
        status = PlanStatus.APPROVED if is_approved(ws, document) else PlanStatus.DRAFT
    await mark_plan(ws, run, status)
