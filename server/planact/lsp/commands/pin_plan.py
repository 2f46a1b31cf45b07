"""`planact.pinPlan`: keep a plan whatever its age."""

from planact.lsp.arguments import PinPlan
from planact.lsp.host import host_of
from planact.lsp.results import PlanPinned
from planact.lsp.server import PlanactServer
from planact.model.notice import PlanChanged


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.pinPlan")
    async def on_pin_plan(ls: PlanactServer, arguments: PinPlan) -> PlanPinned:
        ws, document = await host_of(ls).document(arguments)
        ws.ports.revisions.pin(document.path, is_pinned=arguments.is_pinned)
        ws.ports.editor.tell(PlanChanged("", document.plan.id if document.plan else "", document.path))
        return PlanPinned(path=document.path, is_pinned=arguments.is_pinned)
