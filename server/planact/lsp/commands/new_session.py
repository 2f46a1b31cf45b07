"""`planact.newSession`: begin a conversation and take it in hand."""

from planact.lsp.arguments import NewSession
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.model.session import Session
from planact.workflows.sessions import new_session


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.newSession")
    async def on_new_session(ls: PlanactServer, arguments: NewSession) -> Session:
        ws = host_of(ls).workspace(arguments.folder)
        return host_of(ls).sessions.take(ws, new_session(ws, arguments.mode))
