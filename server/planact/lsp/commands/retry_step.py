"""`planact.retryStep`: try a step again that has failed."""

from planact.lsp.arguments import RetryStep
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.model.execution import Execution
from planact.workflows.retry_step import retry_step


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.retryStep")
    async def on_retry_step(ls: PlanactServer, arguments: RetryStep) -> Execution:
        ws, document = await host_of(ls).document(arguments)
        session = host_of(ls).sessions.executing(ws, arguments.session_id, document.path)
        async with host_of(ls).progress(ws, session.id, f"Planact: step {arguments.step} again"):
            return await retry_step(ws, session.id, document.path, arguments.step, seen_hash=arguments.approve_hash)
