"""What the journal knows of a run, read back: the truth where records, marks or a memory are missing.

Records lie in the workspace, where anybody may write; the journal doesn't.
"""

from planact.model.execution import FileChange, StepRecord
from planact.model.plan import StepStatus
from planact.workflows.workspace import Workspace


def changed_files(ws: Workspace, execution_id: str) -> tuple[FileChange, ...]:
    """Each file that the run changed once: its first state before and its last one after."""
    changed: dict[str, FileChange] = {}
    for entry in ws.ports.journal.read(execution_id):
        if entry.kind == "file_changed":
            change = FileChange.model_validate(entry.data)
            known = changed.get(change.path)
            changed[change.path] = change.model_copy(update={"before": known.before}) if known else change
    return tuple(changed.values())


def ended_steps(ws: Workspace, execution_id: str) -> tuple[StepRecord, ...]:
    """The steps of the run that have a result."""
    entries = ws.ports.journal.read(execution_id)
    records = (StepRecord.model_validate(entry.data) for entry in entries if entry.kind == "step_finished")
    return tuple(record for record in records if record.status is not StepStatus.PENDING)
