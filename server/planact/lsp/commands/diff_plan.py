"""`planact.diffPlan`: what changed in a plan."""

from planact.lsp.arguments import DiffPlan
from planact.lsp.differences import PlanDifference, RevisionListed
from planact.lsp.host import host_of
from planact.lsp.revision_views import RevisionViews
from planact.lsp.server import PlanactServer
from planact.workflows.revisions import compare


def register(server: PlanactServer) -> None:
    """Put the command on the server."""
    views = RevisionViews(server)

    @server.command("planact.diffPlan")
    async def on_diff_plan(ls: PlanactServer, arguments: DiffPlan) -> PlanDifference:
        ws, document = await host_of(ls).document(arguments)
        found = compare(ws, document, arguments.number, arguments.other)
        kept = ws.ports.revisions.list(document.path)
        uri = host_of(ls).uri(ws, document.path)
        return PlanDifference(
            path=document.path,
            uri=uri,
            before_uri=views.uri(uri, found.number, found.before) if found.number else uri,
            after_uri=views.uri(uri, found.other, found.after) if found.other else uri,
            before=found.before,
            after=found.after,
            diff=found.diff,
            revisions=tuple(RevisionListed(number=r.number, author=r.author, time=r.time) for r in kept),
        )
