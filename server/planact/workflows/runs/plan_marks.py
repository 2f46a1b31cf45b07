"""Draw a run into its plan document: marks, status and adaptations.

They only show the journal: a mark that can't be written, because the user is typing there or has deleted the document,
stops no run.
"""

from collections.abc import Callable, Collection, Sequence

from planact.base.errors import EditFailure, InvalidInput, NotFound
from planact.base.text import number_ranges
from planact.model.notice import ExecutionProgress
from planact.model.plan import PlanStatus, Step, StepStatus
from planact.model.runs.execution import Adaptation, Execution, ExecutionStatus, Rollback
from planact.model.runs.journal import JournalEntry
from planact.plan.syntax.blocks import adaptation_lines
from planact.plan.syntax.edits import Edits, add_adaptation, set_mark, set_status
from planact.plan.syntax.lower import front_matter_text, lower
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanTree
from planact.workflows.history.journal_queries import load_record, rebuild_execution
from planact.workflows.history.undo_log import undo_log
from planact.workflows.plans.library import edit_document, is_approved, read_document, write_edits
from planact.workflows.runs.handle_failure import withdraw_failures
from planact.workflows.workspace import Workspace

SETTLED = (StepStatus.DONE, StepStatus.SKIPPED)
_DRAWINGS = 3
"""Attempts to write a mark, when the user is typing in the document."""


async def mark_step(ws: Workspace, run: Execution, step: Step, status: StepStatus) -> bool:
    """Show the state of a step; return whether that could be done."""
    return await _draw(ws, run, lambda tree: set_mark(tree, _number_now(tree, step), status), is_step_mark=True)


async def mark_adaptation(ws: Workspace, run: Execution, step: Step, adaptation: Adaptation) -> bool:
    """Write below a step that it was done otherwise; return whether that could be done."""
    return await _draw(
        ws, run, lambda tree: add_adaptation(tree, _number_now(tree, step), adaptation), is_step_mark=True
    )


async def mark_plan(ws: Workspace, run: Execution, status: PlanStatus) -> None:
    """Show the state of the plan."""
    await _draw(ws, run, lambda tree: set_status(tree, status))


async def mark_end(
    ws: Workspace, run: Execution, *, unmarked: Collection[int] = (), untold: Sequence[tuple[Step, Adaptation]] = ()
) -> bool:
    """Show the run's end: no step is running any more, and steps that the user has added or changed stay.

    Args:
        ws: the workspace.
        run: its record.
        unmarked: numbers of steps whose marks could not be made; their ends are shown, too.
        untold: adaptations that could not be written below their steps.
    """
    return await _draw(ws, run, lambda tree: _ended(run, tree, unmarked, untold))


def _ended(
    run: Execution,
    tree: PlanTree,
    unmarked: Collection[int] = (),
    untold: Sequence[tuple[Step, Adaptation]] = (),
) -> Edits:
    found = [(_found(tree, record.step_number, record.action), record) for record in run.steps]
    ends = {number: record.status for number, record in found}
    late = {number for number, record in found if record.step_number in unmarked}
    edits = [
        set_mark(tree, step.step_number, ends.get(step.step_number, StepStatus.PENDING))
        for step in tree.steps
        if step.status is StepStatus.RUNNING or step.step_number in late
    ]
    for step, adaptation in untold:
        number = _found(tree, step.step_number, step.action)
        if number is not None:
            edits += [add_adaptation(tree, number, each) for each in _untold(tree, number, [adaptation])]
    is_left = any(ends.get(step.step_number, step.status) not in SETTLED for step in tree.steps)
    edits.append(set_status(tree, plan_status(run.status, is_left=is_left)))
    return tuple(edit for each in edits for edit in each)


def unmarked_steps(ws: Workspace, run_id: str) -> set[int]:
    """Return the numbers of the run's steps that began without a mark (entries `mark_missing`) and got none later
    (`mark_made`), so that the plan says that they are to be done.
    """
    missing: set[int] = set()
    for entry in ws.ports.journal.read(run_id, ("mark_missing", "mark_made")):
        if entry.kind == "mark_missing":
            missing.add(int(entry.data["step_number"]))
        else:
            missing.difference_update(entry.data["steps"])
    return missing


def note_marked(ws: Workspace, run: Execution, steps: Collection[int]) -> None:
    """Write down that steps were marked whose marks were missing."""
    if steps:
        ws.ports.journal.append(run.session_id, run.id, "mark_made", {"steps": sorted(steps)})


def unmarked_runs(ws: Workspace) -> Sequence[Execution]:
    """Return the runs that did steps whose marks could not be made, and can be made now."""
    ids = [run_id for run_id in ws.ports.journal.runs_with("mark_missing") if unmarked_steps(ws, run_id)]
    begun = [entry for run_id in ids for entry in ws.ports.journal.read(run_id, ("run_started",))]
    return [run for run in (rebuild_execution(ws, entry) for entry in begun) if missing_marks(ws, run)]


def check_marked(ws: Workspace, path: str) -> None:
    """Raise EditFailure EDIT_REFUSED where steps of the plan at `path` are done without a mark: its next run would do
    them again.
    """
    for run in () if ws.ports.lock.holder() else unmarked_runs(ws):
        if run.plan_file == path:
            numbers = number_ranges(sorted(unmarked_steps(ws, run.id)))
            message = (
                f"the marks of what is done can't be written into {path}, so it would be done again: step {numbers}"
            )
            raise EditFailure("EDIT_REFUSED", message, "See that the file can be written, then execute it again.")


def says_it_runs(tree: PlanTree) -> bool:
    """The document says that the plan or a step of it is running."""
    is_running = front_matter_text(tree, "status") == PlanStatus.RUNNING.value
    return is_running or any(step.status is StepStatus.RUNNING for step in tree.steps)


async def mark_broken_off(ws: Workspace, path: str) -> None:
    """Show in the plan at `path` that its last run broke off, where the document still says that it runs. The run
    itself stays as it is, for the next to put in order.
    """
    begun = next(iter(ws.ports.journal.runs(path, limit=1)), None)
    if begun is None:
        return
    run = rebuild_execution(ws, begun)
    status = "success" if lacks_only_end(begun, run) else "paused"
    ended = run.model_copy(update={"status": status}) if run.status == "running" else run
    await _draw(ws, ended, lambda tree: () if ws.ports.lock.holder() else _ended(ended, tree))


def lacks_only_end(begun: JournalEntry, killed: Execution) -> bool:
    """Return whether a killed run did all that it was to do. `begun` is its first entry in the journal."""
    results = {record.step_number: record.status for record in killed.steps}
    open_steps = [step.step_number for step in parse(str(begun.data["plan"])).steps if step.is_open]
    only = killed.only_steps
    left = only if len(only) == 1 else [number for number in open_steps if not only or number in only]
    return bool(left) and all(results.get(number) is StepStatus.DONE for number in left)


def missing_marks(ws: Workspace, run: Execution) -> Edits:
    """Return the marks of an ended run that the plan document lacks. Only marks that still say "running" are changed,
    and those that could not be made: the rest is the user's.
    """
    if not run.plan_file:
        return ()
    try:
        tree = read_document(ws, run.plan_file).tree
    except InvalidInput:
        return ()
    plan = lower(tree)
    is_running = plan is not None and plan.status is PlanStatus.RUNNING
    is_same = plan is not None and plan.id == run.plan_id
    unmarked = unmarked_steps(ws, run.id).difference(*(each.steps for each in run.rollbacks)) if is_same else ()
    edits: list[Edits] = []
    statuses = {step.step_number: step.status for step in tree.steps}
    for last in {record.step_number: record for record in run.steps}.values():
        number = _found(tree, last.step_number, last.action)
        if number is None:
            continue
        is_unmarked = last.step_number in unmarked and last.status in SETTLED and statuses[number] not in SETTLED
        if statuses[number] is StepStatus.RUNNING or is_unmarked:
            edits.append(set_mark(tree, number, last.status))
            statuses[number] = last.status
        if is_running or is_unmarked:
            told = [
                each for record in run.steps if record.step_number == last.step_number for each in record.adaptations
            ]
            edits += [add_adaptation(tree, number, each) for each in _untold(tree, number, told)]
    if is_running or (edits and unmarked):
        is_left = any(status not in SETTLED for status in statuses.values())
        edits.append(set_status(tree, plan_status(run.status, is_left=is_left)))
    return tuple(edit for each in edits for edit in each)


def plan_status(status: ExecutionStatus, *, is_left: bool) -> PlanStatus:
    """Return the plan's status after a run; it is not done before all its steps are."""
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
    there = tree.step(step_number)
    if there is not None and there.action == action:
        return step_number
    numbers = [node.step_number for node in tree.steps if node.action == action]
    if step_number in numbers:
        return step_number
    return numbers[0] if len(numbers) == 1 else None


async def _draw(
    ws: Workspace, run: Execution, change: Callable[[PlanTree], Edits], *, is_step_mark: bool = False
) -> bool:
    problem = ""
    for _ in range(_DRAWINGS):
        try:
            document = read_document(ws, run.plan_file)
            edits = change(document.tree)
            if is_step_mark:  # no approval depends on it, and derived files, as large as the plan, don't follow
                await write_edits(ws, document, edits, "Mark the plan", is_kept=False)
                ws.ports.editor.notify(document.notice(run.session_id))
            else:
                await edit_document(ws, run.session_id, document, edits, "Mark the plan")
        except EditFailure as failure:
            problem = failure.message
        except InvalidInput as error:
            problem = error.message
            break
        else:
            return True
    ws.ports.editor.notify(ExecutionProgress(execution=run, text=f"the plan document could not be marked: {problem}"))
    return False


def unmarked_rollbacks(ws: Workspace, run: Execution) -> Sequence[Rollback]:
    """Return the rollbacks of a run that are missing in its record."""
    return [each for each in undo_log(ws, run.id).rollbacks if each not in run.rollbacks]


def runs_to_mark(ws: Workspace) -> Sequence[Execution]:
    """The runs of whose rollbacks some aren't in their records; quick where there are few."""
    counts = ws.ports.journal.runs_with("rollback_finished")
    records = ((load_record(ws, run_id), count) for run_id, count in counts.items())
    return [run for run, count in records if run and len(run.rollbacks) < count and unmarked_rollbacks(ws, run)]


async def mark_rollbacks(ws: Workspace, run: Execution) -> Execution:
    """Show in the plan, and then in the record, what the journal says was taken back: what isn't in the record yet may
    be missing in the plan too.
    """
    log = undo_log(ws, run.id)
    new = {step for each in unmarked_rollbacks(ws, run) for step in each.steps}
    if run.plan_file:
        for number in sorted(new):
            step = log.steps.get(number)
            if step is not None and not _stands_elsewhere(ws, run, number):
                withdraw_failures(ws, run.plan_file, "the step was rolled back", number)
                await mark_step(ws, run, step, StepStatus.PENDING)
        await _mark_plan(ws, run)
    run = run.model_copy(update={"rollbacks": tuple(log.rollbacks)})
    ws.ports.records.put_execution(run)
    steps = f"step{'s' if len(new) > 1 else ''} {', '.join(map(str, sorted(new)))}"
    text = f"Rolled back: {steps}" if any(new) else "Rolled back"
    ws.ports.editor.notify(ExecutionProgress(execution=run, text=text))
    return run


def _stands_elsewhere(ws: Workspace, run: Execution, number: int) -> bool:
    """Another run has done the step too, so that its mark is still right."""
    others = [begun.execution_id for begun in ws.ports.journal.runs(run.plan_file) if begun.execution_id != run.id]
    return any(number in log.done for log in (undo_log(ws, other) for other in others))


async def _mark_plan(ws: Workspace, run: Execution) -> None:
    try:
        document = read_document(ws, run.plan_file)
    except NotFound:
        return
    marks = {step.status for step in document.tree.steps}
    if marks & {StepStatus.DONE, StepStatus.FAILED, StepStatus.RUNNING}:
        status = PlanStatus.PAUSED
    else:
        status = PlanStatus.APPROVED if is_approved(ws, document) else PlanStatus.DRAFT
    await mark_plan(ws, run, status)
