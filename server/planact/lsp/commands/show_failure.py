"""`planact.showFailure`: how a step failed: its checks with what they printed, and what was done before them."""

from planact.lsp.arguments import ShowFailure
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.lsp.show_text import show_text
from planact.model.execution import StepRecord
from planact.workflows.report_execution import step_report
from planact.workflows.show_failure import failure_of


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.showFailure")
    async def on_show_failure(ls: PlanactServer, arguments: ShowFailure) -> StepRecord:
        ws, document = await host_of(ls).document(arguments)
        record = failure_of(ws, document, arguments.step)
        await show_text(ls, "failure.md", step_report(record))
        return record
