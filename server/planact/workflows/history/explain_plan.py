"""Facts about the files, tools and commands that a plan names, for hovers."""

from collections.abc import Mapping, Set

from planact.base.errors import InvalidInput
from planact.model.rights.permission import Mode
from planact.model.runs.execution import StepRecord
from planact.plan.lint_context import CommandFact, FileFact
from planact.plan.syntax.lower import context_files, front_matter_text
from planact.plan.syntax.tree import PlanTree
from planact.policy.commands import is_denied, judge_command
from planact.workflows.history.check_freshness import changed_since_plan
from planact.workflows.history.journal_queries import runs_of
from planact.workflows.workspace import Workspace


def file_fact(ws: Workspace, tree: PlanTree, path: str) -> FileFact:
    """A file as it is now, in the editor if it is open there."""
    place = ws.ports.files.resolve(path)
    if place.relative is None or not place.exists:
        return FileFact()
    try:
        info = ws.ports.files.info(place)
    except InvalidInput:
        return FileFact("other")
    files = [file for file in context_files(tree) if file.path == path][:1]
    changed = changed_since_plan(ws, front_matter_text(tree, "id"), files)
    return FileFact(info.kind, info.size, bool(changed) if files else None)


async def command_fact(ws: Workspace, command: str) -> CommandFact:
    """Classify a check of a plan by its effect."""
    found = await ws.ports.commands.read(command, ws.ports.files.resolve("."))
    verdict = judge_command(
        found,
        Mode.PLAN,
        ws.settings.contain,
        ws.ports.runner.enforced(),
        hides_credentials=ws.ports.runner.hides_credentials(),
    )
    denied = is_denied(command, found, frozenset(ws.settings.commands.deny))
    return CommandFact(found.cls, found.reason, denied, verdict.kind)


def last_records(ws: Workspace, path: str, tree: PlanTree) -> Mapping[int, StepRecord]:
    """Return the last record of each step by number. A step whose text changed since has no record."""
    plan_id = front_matter_text(tree, "id")
    actions = {step.step_number: step.action for step in tree.steps}
    found: dict[int, StepRecord] = {}
    for execution in runs_of(ws, path, plan_id):
        for record in execution.steps:
            if actions.get(record.step_number) == record.action:
                found.setdefault(record.step_number, record)
        if found.keys() == actions.keys():  # older ones have nothing to add
            break
    return found


def steps_that_changed(ws: Workspace, path: str, numbers: Set[int]) -> tuple[frozenset[int], frozenset[int]]:
    """The numbers of the steps of the plan at `path` that changed files in any run, and of those whose changes can be
    put back: of `numbers` for certain, of others as far as was looked. It goes by the records alone, since editors ask
    with every key.
    """
    changed: set[int] = set()
    restorable: set[int] = set()
    for run in runs_of(ws, path):
        changed.update(record.step_number for record in run.steps if record.files)
        restorable |= run.to_roll_back
        if numbers and numbers <= restorable:  # changes that can be undone were made
            break
    return frozenset(changed), frozenset(restorable)
