"""`planact.generatePlan`: from a request, in a document or in words, to a plan."""

from planact.lsp.arguments import GeneratePlan
from planact.lsp.host import host_of
from planact.lsp.results import PlanMade
from planact.lsp.server import PlanactServer
from planact.lsp.show_document import show_document
from planact.lsp.show_offer import show_offer
from planact.workflows.ask_about import words_about
from planact.workflows.make_plan import go_on_if_accepted, make_plan, make_plan_in
from planact.workflows.workspace import Stopped


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.generatePlan")
    async def on_generate_plan(ls: PlanactServer, arguments: GeneratePlan) -> PlanMade:
        ws, path = host_of(ls).locate(arguments.uri) if arguments.uri else (host_of(ls).workspace(arguments.folder), "")
        session = host_of(ls).sessions.planning(ws, arguments.session_id, path)
        request = arguments.request
        if arguments.about:
            question = f"What should change in `{arguments.about}`?"
            request = await words_about(ws, session.id, arguments.about, request, question)
            if not request:
                return host_of(ls).plan_made(ws, session.id, None)
        try:
            async with host_of(ls).progress(ws, session.id, "Planact: planning"):
                making = make_plan_in(ws, session.id, path) if path else make_plan(ws, session.id, request)
                taken = await making
                await go_on_if_accepted(ws, session.id, taken)
        except Stopped:
            return host_of(ls).plan_made(ws, session.id, host_of(ls).plan_since(ws, session, path))
        host_of(ls).tell_if_no_plan(taken)
        await show_offer(ls, ws, path, taken)
        made = host_of(ls).plan_made(ws, session.id, taken.written)
        if arguments.about and made.uri:
            await show_document(ls, made.uri)
        return made
