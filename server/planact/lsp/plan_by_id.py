"""Finds a plan by its id in the folders of a client. Any of them may be a stranger's, so none comes first."""

from collections.abc import Sequence
from pathlib import PurePath

from planact.base.errors import Conflict, NotFound
from planact.workflows.library import PlanDocument, find_plan
from planact.workflows.workspace import Workspace


def plan_by_id(workspaces: Sequence[Workspace], plan_id: str) -> tuple[Workspace, PlanDocument]:
    """The only one, see `find_plan`. Where one folder lies in another, a document is the inner one's.

    Raises:
        NotFound: PLAN_NOT_FOUND, NO_WORKSPACE.
        Conflict: PLAN_INVALID, when several documents carry the id.
    """
    missing = NotFound("NO_WORKSPACE", "no folder is open", "Open a folder; plans live in one.")
    found: dict[PurePath, tuple[Workspace, PlanDocument]] = {}
    for ws in sorted(workspaces, key=lambda each: len(each.ports.files.root.parts)):
        try:
            document = find_plan(ws, plan_id)
        except NotFound as error:
            missing = error
        else:
            found[document.place.real] = ws, document
    if len(found) > 1:
        message = f"documents in several folders carry the id {plan_id}: {', '.join(map(str, found))}"
        raise Conflict("PLAN_INVALID", message, "Name the folder, or the file.")
    if not found:
        raise missing
    return next(iter(found.values()))
