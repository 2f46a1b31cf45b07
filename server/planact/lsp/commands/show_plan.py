"""`planact.showPlan`: a plan as data."""

from planact.lsp.arguments import OnePlan
from planact.lsp.host import host_of
from planact.lsp.results import PlanShown
from planact.lsp.server import PlanactServer
from planact.workflows.library import is_approved


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.showPlan")
    async def on_show_plan(ls: PlanactServer, arguments: OnePlan) -> PlanShown:
        ws, document = host_of(ls).document(arguments)
        return PlanShown(
            plan=document.complete(),
            uri=host_of(ls).uri(ws, document.path),
            path=document.path,
            plan_hash=document.hash,
            is_approved=is_approved(ws, document),
        )
