"""What the journal knows of a run, read back: the truth where records, marks or a memory are missing.

Records lie in the workspace, where anybody may write; the journal doesn't.
"""

from planact.model.execution import FileChange, StepRecord
from planact.model.plan import StepStatus
from planact.tools.permit import Trace
from planact.workflows.workspace import Workspace


def changed_files(ws: Workspace, execution_id: str) -> tuple[FileChange, ...]:
    """Each file that the run changed once: its first state before and its last one after."""
    trace = Trace()
    for entry in ws.ports.journal.read(execution_id):
        if entry.kind == "file_changed":
            trace.note(FileChange.model_validate(entry.data))
    return tuple(trace.changed.values())


def ended_steps(ws: Workspace, execution_id: str) -> tuple[StepRecord, ...]:
    """The steps of the run that have a result."""
    entries = ws.ports.journal.read(execution_id)
    records = (StepRecord.model_validate(entry.data) for entry in entries if entry.kind == "step_finished")
    return tuple(record for record in records if record.status is not StepStatus.PENDING)
