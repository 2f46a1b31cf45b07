"""`planact.stop`: stop a session's work at the next safe point."""

from planact.lsp.arguments import Stop
from planact.lsp.host import host_of
from planact.lsp.results import Stopped
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.stop", waits=False)
    async def on_stop(ls: PlanactServer, arguments: Stop) -> Stopped:
        host = host_of(ls)
        if not any(ws.running for ws in host.workspaces()):
            await host.look()  # behind what is about to begin, if anything is
        ws, session = host.sessions.to_stop(arguments)
        return Stopped(session_id=session.id, stopped=await ws.stop(session.id))
