"""Commands on the language models that a session can use."""

from planact.base.frozen_model import FrozenModel
from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol.arguments import OneFolder, OneSession
from planact.lsp.server import PlanactServer
from planact.model.chat.language_model import LanguageModel
from planact.model.chat.message import Session
from planact.workflows.sessions.choose_model import choose_model, list_models


class SetModel(OneSession):
    """The session's model from its next turn on, as litellm names it; empty = by the settings again."""

    model: str


class ListModels(OneFolder):
    """Models that have all words of `search` in their names: those in the settings and those whose provider's key is
    set, or with `all` every known one.
    """

    search: str = ""
    all: bool = False


class ModelList(FrozenModel):
    """Models in the settings first, then by name. Any other that litellm reaches can be chosen, too."""

    models: tuple[LanguageModel, ...]


async def handle_set_model(ls: PlanactServer, arguments: SetModel) -> Session:
    """Choose the session's model."""
    ws, session = host_of(ls).sessions.choose(arguments)
    return choose_model(ws, session.id, arguments.model)


async def handle_list_models(ls: PlanactServer, arguments: ListModels) -> ModelList:
    """List the models known by name, with their abilities and prices."""
    ws = host_of(ls).workspaces.get(arguments.folder)
    return ModelList(models=tuple(list_models(ws, arguments.search, is_whole=arguments.all)))
