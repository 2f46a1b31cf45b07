"""`planact.showPlan`: a plan as data, and on the screen if a step is named."""

from planact.lsp.arguments import ShowPlan
from planact.lsp.convert import TextIndex
from planact.lsp.host import host_of
from planact.lsp.results import PlanShown
from planact.lsp.server import PlanactServer
from planact.lsp.show_document import show_document
from planact.workflows.library import is_approved


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.showPlan")
    async def on_show_plan(ls: PlanactServer, arguments: ShowPlan) -> PlanShown:
        ws, document = host_of(ls).document(arguments)
        shown = PlanShown(
            plan=document.complete(),
            uri=host_of(ls).uri(ws, document.path),
            path=document.path,
            plan_hash=document.hash,
            is_approved=is_approved(ws, document),
            comments=len(document.tree.comments),
        )
        step = document.tree.step(arguments.step) if arguments.step else None
        if step:
            index = TextIndex(document.file.text, ls.documents.encoding, document.tree.line_spans)
            await show_document(ls, shown.uri, index.range(step.action_span))
        return shown
