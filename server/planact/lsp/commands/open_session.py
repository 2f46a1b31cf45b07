"""`planact.openSession`: take an earlier conversation in hand."""

from planact.lsp.arguments import OpenSession
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.model.session import Session


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.openSession")
    async def on_open_session(ls: PlanactServer, arguments: OpenSession) -> Session:
        _, session = host_of(ls).sessions.choose(arguments)
        return session
