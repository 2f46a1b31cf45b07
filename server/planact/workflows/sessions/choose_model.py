"""Which model speaks in a session: the session's own choice, its role's, or the one that the settings name."""

import difflib
from collections.abc import Collection, Sequence
from typing import Literal

from planact.base.errors import ModelFailure
from planact.model.chat.language_model import EDITOR_PROVIDER, LanguageModel
from planact.model.chat.message import Session
from planact.model.rights.permission import Mode, Role
from planact.workflows.sessions.manage import change_session, default_role
from planact.workflows.sessions.roles import find_role
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
    """Check that work in a new session has a model, so that no session begins in vain.

    Raises:
        ModelFailure: MODEL_NOT_CHOSEN. InvalidInput: CONFIG_INVALID for an invalid script.
    """
    ws.ports.models.open(chosen_model(ws, mode))


def what_is_missing(ws: Workspace, model: str) -> Literal["", "model", "key"]:
    """Return the part that the user still has to provide before the model called `model` can be asked; empty = none
    known.
    """
    if not model:
        return "model"
    settings = ws.settings.of_model(model)
    has_own_way = bool(settings.endpoint) or "api_key" in settings.parameters
    return "key" if ws.ports.models.about(model).has_key is False and not has_own_way else ""


def choose_model(ws: Workspace, session_id: str, name: str) -> Session:
    """Have the model called `name` speak in a session from its next turn on; empty = the one that the settings name.
    Only the user's front ends call this.

    Raises:
        ModelFailure: MODEL_NOT_CHOSEN; MODEL_UNKNOWN for a name without a known provider.
        InvalidInput: CONFIG_INVALID for a script that can't be used.
    """
    session = ws.ports.sessions.get(session_id)
    now = model_name(ws, session_id)
    then = name or chosen_model(ws, session.mode, session.role)
    ws.ports.models.open(then)
    doubt = model_warning(ws, name) if name else ""
    if now != then:
        ws.add_message(session_id, "system", f"The model is {then} from now on. {doubt}".rstrip())
    return change_session(ws, session_id, model=name)


def model_warning(ws: Workspace, name: str) -> str:
    """Return a warning about a model that the table doesn't list for its provider, which may be newer than the table.

    An endpoint of the user's own can serve a provider's name that only it knows, so nothing is said of that.

    Raises:
        ModelFailure: MODEL_UNKNOWN for a name without a known provider: a request with it can't be sent anywhere.
    """
    models = ws.ports.models
    known = models.list()
    provider, slash, bare = name.partition("/")
    if models.about(name).provider or not known or (slash and ws.settings.of_model(name).endpoint):
        return ""
    names = [model.name for model in known]
    if slash and (provider in {model.partition("/")[0] for model in names} or provider in models.providers()):
        listed = [each for each in names if each.startswith(f"{provider}/")]
        near = difflib.get_close_matches(name, listed, 1)
        meant = f" If you meant {near[0]}, choose that." if near else ""
        return f"The table of models doesn't list it: it may be newer than the table.{meant}" if listed else ""
    raise ModelFailure("MODEL_UNKNOWN", *_no_provider(name, provider if slash else "", bare, names, models.providers()))


def list_models(ws: Workspace, search: str, *, is_whole: bool) -> Sequence[LanguageModel]:
    """Models by name that have all words of `search` in it: those that the settings name, then those whose provider's
    key is set; all that are known when `is_whole`.
    """
    settings = ws.settings
    named = (settings.model, settings.planner_model, settings.actor_model, *settings.models)
    chosen = [ws.ports.models.about(name) for name in dict.fromkeys(filter(None, named))]
    others = [
        model for model in ws.ports.models.list() if is_whole or model.has_key or model.provider == EDITOR_PROVIDER
    ]
    found = {model.name: model for model in (*chosen, *others)}
    words = search.lower().split()
    return [model for model in found.values() if all(word in model.name.lower() for word in words)]


def _no_provider(
    name: str, provider: str, bare: str, names: Sequence[str], providers: Collection[str]
) -> tuple[str, str]:
    """Return the message and the hint with the nearest name."""
    if not provider:
        by_bare = {each.partition("/")[2]: each for each in names}
        near = [by_bare[each] for each in difflib.get_close_matches(name, by_bare, 1)]
        message = f"no provider is known for the model '{name}'"
    else:
        near = [f"{each}/{bare}" for each in difflib.get_close_matches(provider, sorted(providers), 1)]
        near = (
            near or [each for each in names if each.endswith(f"/{name}")] or difflib.get_close_matches(name, names, 1)
        )
        message = f"there is no provider '{provider}' for the model '{name}'"
    return message, f"Did you mean '{near[0]}'?" if near else "Name it as litellm does, `provider/model`"
