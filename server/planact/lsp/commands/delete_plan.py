"""`planact.deletePlan`: delete a plan, after the user confirmed it."""

from planact.lsp.arguments import OnePlan
from planact.lsp.host import host_of
from planact.lsp.results import PlanDeleted
from planact.lsp.server import PlanactServer
from planact.workflows.delete_plan import delete_plan


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.deletePlan")
    async def on_delete_plan(ls: PlanactServer, arguments: OnePlan) -> PlanDeleted:
        ws, document = await host_of(ls).document(arguments)
        session = host_of(ls).sessions.executing(ws, arguments.session_id, document.path)
        await delete_plan(ws, session.id, document)
        return PlanDeleted(plan_id=document.plan.id if document.plan else "", path=document.path)
