"""Go on where a run was killed: its results are in the journal, though the plan may not show them all."""

from planact.model.plan import StepStatus
from planact.plan.edits import set_mark
from planact.workflows.journaled import ended_steps
from planact.workflows.library import edit_document, read_document
from planact.workflows.workspace import Workspace


async def draw_missing_marks(ws: Workspace, session_id: str, path: str) -> None:
    """Mark the steps that ended and still look running. Other marks stay: they are the user's to set."""
    document = read_document(ws, path)
    runs = (run for run in ws.ports.records.executions() if (run.plan_file, run.plan_hash) == (path, document.hash))
    latest = next(runs, None)
    ended = {record.step_number: record.status for record in ended_steps(ws, latest.id)} if latest else {}
    for step in document.complete().steps:
        if step.status is StepStatus.RUNNING and step.step_number in ended:
            edits = set_mark(document.tree, step.step_number, ended[step.step_number])
            document = await edit_document(ws, session_id, document, edits, "Mark the plan")
