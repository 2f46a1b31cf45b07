"""How a step failed, for whoever is to decide what to do about it."""

from planact.base.errors import Conflict, NotFound
from planact.model.execution import StepRecord
from planact.model.plan import Step, StepStatus
from planact.workflows.journaled import last_failure
from planact.workflows.library import PlanDocument
from planact.workflows.workspace import Workspace


def failed_step(document: PlanDocument, number: int) -> Step:
    """The step with that number.

    Raises:
        NotFound: STEP_NOT_FOUND.
        Conflict: MODE_CONFLICT, when it has not failed.
    """
    step = next((step for step in document.complete().steps if step.step_number == number), None)
    if step is None:
        raise NotFound("STEP_NOT_FOUND", f"the plan has no step {number}", "Look at its numbers.")
    if step.status is not StepStatus.FAILED:
        raise Conflict("MODE_CONFLICT", f"step {number} has not failed", "Run it with planact.executeStep.")
    return step


def failure_of(ws: Workspace, document: PlanDocument, number: int) -> StepRecord:
    """What came of the step when it was tried last.

    Raises:
        What `failed_step` raises; NotFound: EXECUTION_NOT_FOUND, when the mark is all that is known.
    """
    found = last_failure(ws, document.path, failed_step(document, number))
    if found is None:
        message = f"nothing is written down of how step {number} failed"
        raise NotFound("EXECUTION_NOT_FOUND", message, "Retry the step to see.")
    return found[1]
