"""`planact.restoreRevision`: go back to an earlier text of a plan."""

from planact.lsp.arguments import RestoreRevision
from planact.lsp.host import host_of
from planact.lsp.results import PlanMade
from planact.lsp.server import PlanactServer
from planact.workflows.revisions import restore_revision


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.restoreRevision")
    async def on_restore_revision(ls: PlanactServer, arguments: RestoreRevision) -> PlanMade:
        ws, document = await host_of(ls).document(arguments)
        session = host_of(ls).sessions.desk(ws, arguments.session_id, document.path)
        restored = await restore_revision(ws, session.id, document, arguments.number)
        host_of(ls).refresh()
        return host_of(ls).plan_made(ws, session.id, restored)
