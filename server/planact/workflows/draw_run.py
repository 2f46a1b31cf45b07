"""Draw a run into its plan document: marks, status and adaptations.

They are a picture of the journal: one that can't be drawn, because the user is typing there or has deleted the
document, stops nothing.
"""

from collections.abc import Callable, Sequence

from planact.base.errors import EditFailure, InvalidInput, NotFound
from planact.model.execution import Adaptation, Execution, ExecutionStatus
from planact.model.notice import ExecutionProgress
from planact.model.plan import PlanStatus, Step, StepStatus
from planact.plan.blocks import adaptation_lines
from planact.plan.edits import Edits, add_adaptation, set_mark, set_status
from planact.plan.lower import lower
from planact.plan.tree import PlanTree
from planact.workflows.library import edit_document, read_document
from planact.workflows.workspace import Workspace

SETTLED = (StepStatus.DONE, StepStatus.SKIPPED)
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


async def mark_end(ws: Workspace, run: Execution) -> None:
    """Show how the run ended: in it, nothing runs any more, and steps that the user has added or changed are left."""

    def change(tree: PlanTree) -> Edits:
        ends = {_found(tree, record.step_number, record.action): record.status for record in run.steps}
        edits = [
            set_mark(tree, step.step_number, ends.get(step.step_number, StepStatus.PENDING))
            for step in tree.steps
            if step.status is StepStatus.RUNNING
        ]
        is_left = any(ends.get(step.step_number, step.status) not in SETTLED for step in tree.steps)
        edits.append(set_status(tree, plan_status(run.status, is_left=is_left)))
        return tuple(edit for each in edits for edit in each)

    await _draw(ws, run, change)


def missing_marks(ws: Workspace, run: Execution) -> Edits:
    """What the plan document doesn't show yet of a run that is over. Only what still looks running is touched: the rest
    is the user's.
    """
    if not run.plan_file:
        return ()
    try:
        tree = read_document(ws, run.plan_file).tree
    except InvalidInput:
        return ()
    plan = lower(tree)
    is_running = plan is not None and plan.status is PlanStatus.RUNNING
    edits: list[Edits] = []
    statuses = {step.step_number: step.status for step in tree.steps}
    for last in {record.step_number: record for record in run.steps}.values():
        number = _found(tree, last.step_number, last.action)
        if number is None:
            continue
        if statuses[number] is StepStatus.RUNNING:
            edits.append(set_mark(tree, number, last.status))
            statuses[number] = last.status
        if is_running:
            told = [
                each for record in run.steps if record.step_number == last.step_number for each in record.adaptations
            ]
            edits += [add_adaptation(tree, number, each) for each in _untold(tree, number, told)]
    if is_running:
        is_left = any(status not in SETTLED for status in statuses.values())
        edits.append(set_status(tree, plan_status(run.status, is_left=is_left)))
    return tuple(edit for each in edits for edit in each)


def plan_status(status: ExecutionStatus, *, is_left: bool) -> PlanStatus:
    """What a run makes of its plan, which is not done before all its steps are."""
    if status == "success":
        return PlanStatus.PAUSED if is_left else PlanStatus.DONE
    by_status = {"paused": PlanStatus.PAUSED, "partial_success": PlanStatus.PARTIAL, "failed": PlanStatus.FAILED}
    return by_status.get(status, PlanStatus.ABORTED)


def _untold(tree: PlanTree, number: int, adaptations: Sequence[Adaptation]) -> Sequence[Adaptation]:
    node = tree.step(number)
    shown = [adaptation_lines(block.adaptation, "") for block in node.adaptations] if node else []
    return [adaptation for adaptation in adaptations if adaptation_lines(adaptation, "") not in shown]


def _number_now(tree: PlanTree, step: Step) -> int:
    number = _found(tree, step.step_number, step.action)
    if number is None:
        raise NotFound("STEP_NOT_FOUND", f"step {step.step_number} reads otherwise now", "It is not marked.")
    return number


def _found(tree: PlanTree, step_number: int, action: str) -> int | None:
    """The step's number in the document, where the user may have put others before it meanwhile."""
    numbers = [node.step_number for node in tree.steps if node.action == action]
    if step_number in numbers:
        return step_number
    return numbers[0] if len(numbers) == 1 else None


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
