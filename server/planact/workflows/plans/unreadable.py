"""Plan documents that no list of plans can show, since they can't be read."""

from collections.abc import Mapping

from planact.base.errors import InvalidInput, NotFound
from planact.policy.protected import PLAN_SUFFIX
from planact.workflows.plans.library import ARCHIVE, MAX_PLANS, read_document
from planact.workflows.workspace import Workspace


def unreadable_plans(ws: Workspace) -> Mapping[str, InvalidInput]:
    """Return why each of them can't be read, by path."""
    found: dict[str, InvalidInput] = {}
    for path in ws.ports.files.find(PLAN_SUFFIX, MAX_PLANS):
        if not path.startswith(f"{ARCHIVE}/"):
            try:
                read_document(ws, path)
            except NotFound:
                continue  # it was deleted just now
            except InvalidInput as failure:
                found[path] = failure
    return found
