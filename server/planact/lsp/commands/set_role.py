"""`planact.setRole`: the user has another role work in a session."""

from planact.lsp.arguments import SetRole
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.model.session import Session
from planact.workflows.roles import set_role


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.setRole")
    async def on_set_role(ls: PlanactServer, arguments: SetRole) -> Session:
        ws, session = host_of(ls).sessions.choose(arguments)
        return set_role(ws, session.id, arguments.role)
