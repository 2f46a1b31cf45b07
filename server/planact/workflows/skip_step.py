"""Skip a step."""

from planact.base.errors import Conflict, NotFound
from planact.model.plan import StepStatus
from planact.plan.edits import set_mark
from planact.workflows.library import PlanDocument, check_at_rest, edit_document
from planact.workflows.workspace import Workspace


async def skip_step(ws: Workspace, session_id: str, document: PlanDocument, number: int) -> PlanDocument:
    """Mark a step as skipped.

    Raises:
        NotFound: STEP_NOT_FOUND.
        Conflict: BUSY while the plan is executed; MODE_CONFLICT when the step is done.
    """
    step = next((step for step in document.complete().steps if step.step_number == number), None)
    if step is None:
        raise NotFound("STEP_NOT_FOUND", f"the plan has no step {number}", "Look at its numbers.")
    check_at_rest(ws, document.path)
    if step.status is StepStatus.DONE:
        raise Conflict("MODE_CONFLICT", f"step {number} is done", "A step that is done can't be skipped.")
    edits = set_mark(document.tree, number, StepStatus.SKIPPED)
    return await edit_document(ws, session_id, document, edits, f"Skip step {number}")
