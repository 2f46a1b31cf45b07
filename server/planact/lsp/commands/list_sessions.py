"""`planact.listSessions`: the conversations of a folder, the last used first."""

from planact.lsp.arguments import OneFolder
from planact.lsp.host import host_of
from planact.lsp.results import Sessions
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.listSessions")
    async def on_list_sessions(ls: PlanactServer, arguments: OneFolder) -> Sessions:
        return Sessions(sessions=tuple(host_of(ls).workspace(arguments.folder).ports.sessions.list()))
