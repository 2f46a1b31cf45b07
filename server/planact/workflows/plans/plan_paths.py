"""Where plan documents lie: in the plans directory, also where git ignores it, and wherever nothing ignores them."""

from collections.abc import Sequence

from planact.policy.protected import PLAN_SUFFIX
from planact.workflows.workspace import Workspace

MAX_PLANS = 1_000
"""So many documents of a workspace are looked at."""


def plan_paths(ws: Workspace, limit: int = MAX_PLANS) -> Sequence[str]:
    """Return the paths of the workspace's plan documents, each once."""
    return tuple(dict.fromkeys((*own_plan_paths(ws), *ws.ports.files.find(PLAN_SUFFIX, limit))))[:limit]


def own_plan_paths(ws: Workspace) -> Sequence[str]:
    """Return those in the plans directory."""
    return ws.ports.files.find(PLAN_SUFFIX, MAX_PLANS, ws.settings.plans_directory, with_ignored=True)
