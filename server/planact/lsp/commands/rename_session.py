"""`planact.renameSession`: give a conversation another title."""

from planact.lsp.arguments import RenameSession
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.model.session import Session
from planact.workflows.sessions import rename_session


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.renameSession")
    async def on_rename_session(ls: PlanactServer, arguments: RenameSession) -> Session:
        ws, session = host_of(ls).sessions.find(arguments)
        return rename_session(ws, session.id, arguments.title)
