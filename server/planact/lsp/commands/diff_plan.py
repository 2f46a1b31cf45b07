"""`planact.diffPlan`: what changed in a plan."""

from planact.lsp.arguments import DiffPlan
from planact.lsp.host import host_of
from planact.lsp.results import PlanDifference, RevisionListed
from planact.lsp.server import PlanactServer
from planact.workflows.revisions import compare


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.diffPlan")
    async def on_diff_plan(ls: PlanactServer, arguments: DiffPlan) -> PlanDifference:
        ws, document = host_of(ls).document(arguments)
        found = compare(ws, document, arguments.number, arguments.other)
        kept = ws.ports.revisions.list(document.path)
        return PlanDifference(
            path=document.path,
            uri=host_of(ls).uri(ws, document.path),
            before=found.before,
            after=found.after,
            diff=found.diff,
            revisions=tuple(RevisionListed(number=r.number, author=r.author, time=r.time) for r in kept),
        )
