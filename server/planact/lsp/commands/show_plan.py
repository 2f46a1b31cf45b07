"""`planact.showPlan`: a plan as data, and on the screen if a step is named."""

from planact.lsp.arguments import ShowPlan
from planact.lsp.convert import TextIndex
from planact.lsp.host import host_of
from planact.lsp.results import PlanShown
from planact.lsp.server import PlanactServer
from planact.lsp.show_document import show_document
from planact.workflows.library import is_approved, summarize
from planact.workflows.measure import spent_on
from planact.workflows.workspace import Workspace


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.showPlan")
    async def on_show_plan(ls: PlanactServer, arguments: ShowPlan) -> PlanShown:
        ws, document = await host_of(ls).document(arguments)
        plan = document.complete()
        shown = PlanShown(
            plan=plan,
            uri=host_of(ls).uri(ws, document.path),
            path=document.path,
            plan_hash=document.hash,
            status=summarize(ws, document).status,
            is_approved=is_approved(ws, document),
            comments=len(document.tree.comments),
            usage=_usage(ws, plan.id) if arguments.with_usage else "",
        )
        step = document.tree.step(arguments.step) if arguments.step else None
        if step:
            index = TextIndex(document.file.text, ls.documents.encoding, document.tree.line_spans)
            await show_document(ls, shown.uri, index.range(step.action_span))
        return shown


def _usage(ws: Workspace, plan_id: str) -> str:
    spent = spent_on(ws, plan_id)
    return spent.in_words() if spent.requests else ""
