"""What the journal knows of a run, read back: the truth where records, marks or a memory are missing.

Records lie in the workspace, where anybody may write; the journal doesn't.
"""

from collections.abc import Mapping

from planact.model.execution import FileChange, Rollback, StepRecord
from planact.model.plan import Step, StepStatus
from planact.tools.permit import Trace
from planact.workflows.workspace import Workspace


def changed_files(ws: Workspace, execution_id: str) -> tuple[FileChange, ...]:
    """Each file that the run changed once: its first state before and its last one after."""
    trace = Trace()
    for entry in ws.ports.journal.read(execution_id, ("file_changed",)):
        trace.note(FileChange.model_validate(entry.data))
    return tuple(trace.changed.values())


def files_left(ws: Workspace, execution_id: str) -> Mapping[str, str]:
    """The SHA-256 by path of what the run left: its own changes, what commands did and editors that saved, and what was
    taken back.
    """
    left: dict[str, str] = {}
    for entry in ws.ports.journal.read(execution_id, ("file_changed", "rollback_finished")):
        if entry.kind == "rollback_finished":
            left |= {file.path: file.after for file in Rollback.model_validate(entry.data).files}
        else:
            change = FileChange.model_validate(entry.data)
            left |= {change.path: change.after} if change.is_covered else {}
    return left


def ended_steps(ws: Workspace, execution_id: str) -> tuple[StepRecord, ...]:
    """The steps of the run that have a result."""
    entries = ws.ports.journal.read(execution_id, ("step_finished",))
    records = (StepRecord.model_validate(entry.data) for entry in entries)
    return tuple(record for record in records if record.status is not StepStatus.PENDING)


def last_failure(ws: Workspace, path: str, step: Step) -> tuple[str, StepRecord] | None:
    """The run of a plan in which the step was tried last, and what came of it, if it failed there."""
    for run in ws.ports.records.executions():
        if run.plan_file != path:
            continue
        tried = [each for each in ended_steps(ws, run.id) if _is_of(each, step)]
        if tried:
            return (run.id, tried[-1]) if tried[-1].status is StepStatus.FAILED else None
    return None


def _is_of(record: StepRecord, step: Step) -> bool:
    return (record.step_number, record.action) == (step.step_number, step.action)
