"""`planact.exportPlan`: a plan as Markdown or JSON."""

from planact.lsp.arguments import ExportPlan
from planact.lsp.host import host_of
from planact.lsp.results import PlanExported
from planact.lsp.server import PlanactServer
from planact.workflows.export_plan import export_plan


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.exportPlan")
    async def on_export_plan(ls: PlanactServer, arguments: ExportPlan) -> PlanExported:
        _, document = await host_of(ls).document(arguments)
        return PlanExported(path=document.path, text=f"{export_plan(document, arguments.format)}\n")
