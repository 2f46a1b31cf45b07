"""Files are about to move: which plans name them, and what would have to change there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planact.base.errors import PlanactError
from planact.base.span import TextEdit
from planact.plan.ide.renames import Rename, renamed
from planact.workflows.plans.library import PlanDocument, check_plan_idle, is_approved, read_document
from planact.workflows.plans.plan_paths import plan_paths
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class PlanToChange:
    """A plan and its edits. An approved one has to be approved again after them, like after any other change."""

    document: PlanDocument
    edits: tuple[TextEdit, ...]
    is_approved: bool


def plans_to_change(ws: Workspace, renames: Sequence[Rename]) -> Iterator[PlanToChange]:
    """The plans of a folder that name what moves. Those at work stay as they are: what runs is what was approved."""
    for path in plan_paths(ws):
        try:
            check_plan_idle(ws, path)
            document = read_document(ws, path)
            edits = renamed(document.tree, renames)
            if edits:
                yield PlanToChange(document, edits, is_approved(ws, document))
        except PlanactError:
            continue  # one that is at work, or can't be read
