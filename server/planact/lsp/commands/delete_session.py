"""`planact.deleteSession`: forget a conversation, after the user confirmed it."""

from planact.lsp.arguments import OneSession
from planact.lsp.host import host_of
from planact.lsp.results import SessionDeleted
from planact.lsp.server import PlanactServer
from planact.workflows.sessions import delete_session


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.deleteSession")
    async def on_delete_session(ls: PlanactServer, arguments: OneSession) -> SessionDeleted:
        ws, session = host_of(ls).sessions.find(arguments)
        await delete_session(ws, session.id)
        return SessionDeleted(session_id=session.id)
