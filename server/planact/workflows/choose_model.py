"""Which model speaks in a session: the session's own choice, its role's, or the one that the settings name."""

import difflib
from collections.abc import Sequence
from typing import Literal

from planact.base.errors import ModelFailure
from planact.model.language_model import LanguageModel
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


def what_is_missing(ws: Workspace, model: str) -> Literal["", "model", "key"]:
    """What the user still has to choose or give before the model called `model` can be asked; empty = nothing known."""
    if not model:
        return "model"
    settings = ws.settings.of_model(model)
    has_own_way = bool(settings.endpoint) or "api_key" in settings.parameters
    return "key" if ws.ports.models.about(model).has_key is False and not has_own_way else ""


def choose_model(ws: Workspace, session_id: str, name: str) -> Session:
    """Have the model called `name` speak in a session from its next turn on; empty = the one that the settings name.
    Only the user's front ends call this.

    Raises:
        ModelFailure: MODEL_NOT_CHOSEN; MODEL_UNKNOWN for a name that no provider can be told from.
        InvalidInput: CONFIG_INVALID for a script that can't be used.
    """
    session = ws.ports.sessions.get(session_id)
    now = model_name(ws, session_id)
    then = name or chosen_model(ws, session.mode, session.role)
    ws.ports.models.open(then)
    if name:
        _check_name(ws, name)
    if now != then:
        ws.say(session_id, "system", f"The model is {then} from now on.")
    return change_session(ws, session_id, model=name)


def list_models(ws: Workspace, search: str, *, is_whole: bool) -> Sequence[LanguageModel]:
    """Models by name that have all words of `search` in it: those that the settings name, then those whose provider's
    key is set; all that are known when `is_whole`.
    """
    settings = ws.settings
    named = (settings.model, settings.planner_model, settings.actor_model, *settings.models)
    chosen = [ws.ports.models.about(name) for name in dict.fromkeys(filter(None, named))]
    others = [model for model in ws.ports.models.list() if is_whole or model.has_key]
    found = {model.name: model for model in (*chosen, *others)}
    words = search.lower().split()
    return [model for model in found.values() if all(word in model.name.lower() for word in words)]


def _check_name(ws: Workspace, name: str) -> None:
    """A name without a provider must be a known one, or a request with it can't be sent anywhere."""
    known = ws.ports.models.list()
    if "/" in name or ws.ports.models.about(name).provider or not known:
        return
    bare = {model.name.partition("/")[2]: model.name for model in known}
    near = difflib.get_close_matches(name, bare, 1)
    hint = f"Did you mean '{bare[near[0]]}'?" if near else "Name it as litellm does, `provider/model`"
    raise ModelFailure("MODEL_UNKNOWN", f"no provider is known for the model '{name}'", hint)
