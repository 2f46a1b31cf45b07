"""Which model speaks in a session: the session's own choice, its role's, or the one that the settings name."""

from planact.model.permission import Mode
from planact.model.role import Role
from planact.model.session import Session
from planact.workflows.roles import find_role
from planact.workflows.sessions import change_session, default_role
from planact.workflows.workspace import Workspace


def model_name(ws: Workspace, session_id: str, role_name: str = "") -> str:
    """The name of the model; empty = none is chosen. `role_name` is that of a delegate, else the session's own."""
    session = ws.ports.sessions.get(session_id)
    return session.model or chosen_model(ws, session.mode, role_name or session.role)


def chosen_model(ws: Workspace, mode: Mode, role_name: str = "") -> str:
    """The name of the model where the session chose none; empty = none is chosen. No role = the mode's own."""
    role = find_role(ws, role_name or default_role(ws, mode))
    by_role = role.model if isinstance(role, Role) else ""
    by_mode = ws.settings.planner_model if mode is Mode.PLAN else ws.settings.actor_model
    return by_role or by_mode or ws.settings.model


def check_model(ws: Workspace, mode: Mode) -> None:
    """Make sure that there is a model for work in a new session, before the session begins for nothing.

    Raises:
        ModelFailure: MODEL_NOT_CHOSEN. InvalidInput: CONFIG_INVALID for a script that can't be used.
    """
    ws.ports.models.open(chosen_model(ws, mode))


def choose_model(ws: Workspace, session_id: str, name: str) -> Session:
    """Have the model called `name` speak in a session from its next turn on. Only the user's front ends call this.

    Raises:
        ModelFailure: MODEL_NOT_CHOSEN. InvalidInput: CONFIG_INVALID for a script that can't be used.
    """
    ws.ports.models.open(name)
    if model_name(ws, session_id) != name:
        ws.say(session_id, "system", f"The model is {name} from now on.")
    return change_session(ws, session_id, model=name)
