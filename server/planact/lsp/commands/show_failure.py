"""`planact.showFailure`: how a step failed: its checks with what they printed, and what was done before them."""

from planact.lsp.arguments import ShowFailure
from planact.lsp.host import host_of
from planact.lsp.results import FailureShown
from planact.lsp.server import PlanactServer
from planact.lsp.show_text import show_text
from planact.workflows.show_failure import show_failure


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.showFailure")
    async def on_show_failure(ls: PlanactServer, arguments: ShowFailure) -> FailureShown:
        ws, document = host_of(ls).document(arguments)
        execution_id, report = show_failure(ws, document, arguments.step)
        await show_text(ls, "failure.md", report)
        uri = host_of(ls).uri(ws, document.path)
        return FailureShown(path=document.path, uri=uri, execution_id=execution_id, report=report)
