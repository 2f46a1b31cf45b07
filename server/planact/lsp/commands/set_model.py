"""`planact.setModel`: the user has another model speak in a session."""

from planact.lsp.arguments import SetModel
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.model.session import Session
from planact.workflows.choose_model import choose_model


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.setModel")
    async def on_set_model(ls: PlanactServer, arguments: SetModel) -> Session:
        ws, session = host_of(ls).sessions.choose(arguments)
        return choose_model(ws, session.id, arguments.model)
