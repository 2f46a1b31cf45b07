"""`planact.setMode`: the user switches the mode by hand."""

from planact.lsp.arguments import SetMode
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.model.session import Session
from planact.workflows.switch_mode import switch_mode


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.setMode")
    async def on_set_mode(ls: PlanactServer, arguments: SetMode) -> Session:
        ws, session = host_of(ls).sessions.choose(arguments)
        return await switch_mode(ws, session.id, arguments.mode, confirm_stop=arguments.confirm_stop)
