"""`planact.approvePlan`: the user's yes to exactly this text; starts nothing."""

from planact.lsp.arguments import ApprovePlan
from planact.lsp.host import host_of
from planact.lsp.results import PlanApproved
from planact.lsp.server import PlanactServer
from planact.workflows.approve_plan import approve_plan


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.approvePlan")
    async def on_approve_plan(ls: PlanactServer, arguments: ApprovePlan) -> PlanApproved:
        ws, document = await host_of(ls).document(arguments)
        session = host_of(ls).sessions.executing(ws, arguments.session_id, document.path)
        approved = await approve_plan(ws, session.id, document, arguments.approve_hash)
        host_of(ls).refresh()
        made = host_of(ls).plan_made(ws, session.id, approved)
        return PlanApproved(**made.model_dump(), plan_hash=approved.hash)
