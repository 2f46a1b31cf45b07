"""`planact.skipStep`: leave a step out."""

from planact.lsp.arguments import SkipStep
from planact.lsp.host import host_of
from planact.lsp.results import PlanMade
from planact.lsp.server import PlanactServer
from planact.workflows.skip_step import skip_step


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.skipStep")
    async def on_skip_step(ls: PlanactServer, arguments: SkipStep) -> PlanMade:
        ws, document = await host_of(ls).document(arguments)
        session = host_of(ls).sessions.executing(ws, arguments.session_id, document.path)
        skipped = await skip_step(ws, session.id, document, arguments.step)
        return host_of(ls).plan_made(ws, session.id, skipped)
