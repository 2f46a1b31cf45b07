"""Which model speaks in a session: the session's own choice, its role's, or the one that the settings name."""

from planact.model.permission import Mode
from planact.model.role import Role
from planact.workflows.roles import find_role
from planact.workflows.workspace import Workspace


def model_name(ws: Workspace, session_id: str, role_name: str = "") -> str:
    """The name of the model; empty = none is chosen. `role_name` is that of a delegate, else the session's own."""
    session, settings = ws.ports.sessions.get(session_id), ws.settings
    role = find_role(ws, role_name or session.role)
    by_role = role.model if isinstance(role, Role) else ""
    by_mode = settings.planner_model if session.mode is Mode.PLAN else settings.actor_model
    return session.model or by_role or by_mode or settings.model
