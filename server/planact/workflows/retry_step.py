"""Try a step again that has failed: in the run that still asks about it, or in one of its own."""

from planact.model.execution import Execution
from planact.workflows.execute_plan import Confirmation, execute_plan
from planact.workflows.heed_failure import answer_for
from planact.workflows.journaled import runs_of
from planact.workflows.library import is_executed, read_document
from planact.workflows.show_failure import failed_step
from planact.workflows.workspace import Workspace


async def retry_step(ws: Workspace, session_id: str, path: str, number: int, *, seen_hash: str = "") -> Execution:
    """Run a failed step once more; the agent is told what failed. Returns the record: as it is now, where a run waited
    for this and goes on with it.

    Raises:
        NotFound: STEP_NOT_FOUND.
        Conflict: MODE_CONFLICT, when the step has not failed; and what `execute_plan` raises, like everything else.
    """
    document = read_document(ws, path)
    failed_step(document, number)
    was_asked = answer_for(ws, document.path, number, "retry")
    if was_asked and is_executed(ws, document.path):
        return next(runs_of(ws, document.path))
    return await execute_plan(
        ws, session_id, document.path, Confirmation.UNLESS_APPROVED, only_steps=(number,), seen_hash=seen_hash
    )
