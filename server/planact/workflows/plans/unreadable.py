"""Plan documents that no list of plans can show, since they can't be read."""

from collections.abc import Mapping

from planact.base.errors import InvalidInput, NotFound
from planact.workflows.plans.library import ARCHIVE, read_document
from planact.workflows.plans.plan_paths import plan_paths
from planact.workflows.workspace import Workspace


def unreadable_plans(ws: Workspace) -> Mapping[str, InvalidInput]:
    """Return why each of them can't be read, by path."""
    found: dict[str, InvalidInput] = {}
    for path in plan_paths(ws):
        if not path.startswith(f"{ARCHIVE}/"):
            try:
                read_document(ws, path)
            except NotFound:
                continue  # it was deleted just now
            except InvalidInput as failure:
                found[path] = failure
    return found
