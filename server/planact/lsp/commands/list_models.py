"""`planact.listModels`: the models that are known by name, with what they take and cost."""

from planact.lsp.arguments import ListModels
from planact.lsp.host import host_of
from planact.lsp.results import Models
from planact.lsp.server import PlanactServer
from planact.workflows.choose_model import list_models


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.listModels")
    async def on_list_models(ls: PlanactServer, arguments: ListModels) -> Models:
        ws = host_of(ls).workspace(arguments.folder)
        return Models(models=tuple(list_models(ws, arguments.search, is_whole=arguments.all)))
