"""Draw a run into its plan document: marks, status and adaptations.

They are a picture of the journal: one that can't be drawn, because the user is typing there or has deleted the
document, stops nothing.
"""

from collections.abc import Callable

from planact.base.errors import EditFailure, InvalidInput, NotFound
from planact.model.execution import Adaptation, Execution
from planact.model.notice import ExecutionProgress
from planact.model.plan import PlanStatus, Step, StepStatus
from planact.plan.edits import Edits, add_adaptation, set_mark, set_status
from planact.plan.tree import PlanTree
from planact.workflows.journaled import ended_steps
from planact.workflows.library import edit_document, read_document
from planact.workflows.workspace import Workspace

_DRAWINGS = 3
"""How often a mark is tried, when the user is typing in the document."""


async def mark_step(ws: Workspace, run: Execution, step: Step, status: StepStatus) -> None:
    """Show the state of a step."""
    await _draw(ws, run, lambda tree: set_mark(tree, _number_now(tree, step), status))


async def draw_adaptation(ws: Workspace, run: Execution, step: Step, adaptation: Adaptation) -> None:
    """Write below a step that it was done otherwise."""
    await _draw(ws, run, lambda tree: add_adaptation(tree, _number_now(tree, step), adaptation))


async def mark_plan(ws: Workspace, run: Execution, status: PlanStatus) -> None:
    """Show the state of the plan."""
    await _draw(ws, run, lambda tree: set_status(tree, status))


async def draw_missing_marks(ws: Workspace, session_id: str, path: str) -> None:
    """Mark the steps that ended in a run that was killed, and still look running. Other marks stay: they are the
    user's to set.
    """
    document = read_document(ws, path)
    runs = (run for run in ws.ports.records.executions() if (run.plan_file, run.plan_hash) == (path, document.hash))
    latest = next(runs, None)
    ended = {record.step_number: record.status for record in ended_steps(ws, latest.id)} if latest else {}
    for step in document.complete().steps:
        if step.status is StepStatus.RUNNING and step.step_number in ended:
            edits = set_mark(document.tree, step.step_number, ended[step.step_number])
            document = await edit_document(ws, session_id, document, edits, "Mark the plan")


def _number_now(tree: PlanTree, step: Step) -> int:
    """The step's number in the document, where the user may have put others before it meanwhile."""
    numbers = [node.step_number for node in tree.steps if node.action == step.action]
    if step.step_number in numbers:
        return step.step_number
    if len(numbers) == 1:
        return numbers[0]
    raise NotFound("STEP_NOT_FOUND", f"step {step.step_number} reads otherwise now", "It is not marked.")


async def _draw(ws: Workspace, run: Execution, change: Callable[[PlanTree], Edits]) -> None:
    problem = ""
    for _ in range(_DRAWINGS):
        try:
            document = read_document(ws, run.plan_file)
            await edit_document(ws, run.session_id, document, change(document.tree), "Mark the plan")
        except EditFailure as failure:
            problem = failure.message
        except InvalidInput as error:
            problem = error.message
            break
        else:
            return
    ws.ports.editor.tell(ExecutionProgress(run, f"the plan document could not be marked: {problem}"))
