"""Skip a step."""

from planact.base.errors import Conflict, NotFound
from planact.model.plan import StepStatus
from planact.plan.edits import set_mark
from planact.workflows.heed_failure import answer_for, withdraw_failures
from planact.workflows.library import PlanDocument, check_at_rest, edit_document, is_executed
from planact.workflows.workspace import Workspace


async def skip_step(ws: Workspace, session_id: str, document: PlanDocument, number: int) -> PlanDocument:
    """Mark a step as skipped; a run that asks about it because it failed goes on without it.

    Raises:
        NotFound: STEP_NOT_FOUND.
        Conflict: BUSY while the plan is executed; MODE_CONFLICT when the step is done.
    """
    step = next((step for step in document.complete().steps if step.step_number == number), None)
    if step is None:
        raise NotFound("STEP_NOT_FOUND", f"the plan has no step {number}", "Look at its numbers.")
    if is_executed(ws, document.path) and answer_for(ws, document.path, number, "skip"):
        return document
    check_at_rest(ws, document.path)
    if step.status is StepStatus.DONE:
        raise Conflict("MODE_CONFLICT", f"step {number} is done", "A step that is done can't be skipped.")
    withdraw_failures(ws, document.path, "the step is skipped", number)
    edits = set_mark(document.tree, number, StepStatus.SKIPPED)
    return await edit_document(ws, session_id, document, edits, f"Skip step {number}")
