"""`planact.revisePlan`: work the user's feedback into a plan."""

from planact.lsp.arguments import RevisePlan
from planact.lsp.host import host_of
from planact.lsp.results import PlanMade
from planact.lsp.server import PlanactServer
from planact.lsp.show_offer import show_offer
from planact.workflows.make_plan import go_on_if_accepted
from planact.workflows.revise_plan import ask_feedback, revise_plan
from planact.workflows.workspace import Stopped


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.revisePlan")
    async def on_revise_plan(ls: PlanactServer, arguments: RevisePlan) -> PlanMade:
        ws, document = await host_of(ls).document(arguments)
        session = host_of(ls).sessions.planning(ws, arguments.session_id, document.path)
        feedback = arguments.feedback
        if not feedback.strip() and not document.tree.comments:
            feedback = await ask_feedback(ws, session.id, document)
            if not feedback.strip():
                return host_of(ls).plan_made(ws, session.id, document)
        try:
            async with host_of(ls).progress(ws, session.id, "Planact: revising"):
                taken = await revise_plan(ws, session.id, document.path, feedback)
                await go_on_if_accepted(ws, session.id, taken)
        except Stopped:
            return host_of(ls).plan_made(ws, session.id, document)
        host_of(ls).tell_if_no_plan(taken)
        await show_offer(ls, ws, document.path, taken)
        return host_of(ls).plan_made(ws, session.id, taken.written or document)
