"""`planact.executePlan`: the user's yes to a plan, and its execution, or that of some of its steps."""

from planact.lsp.arguments import ExecutePlan
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.model.execution import Execution
from planact.workflows.execute_plan import Confirmation, execute_plan


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.executePlan")
    async def on_execute_plan(ls: PlanactServer, arguments: ExecutePlan) -> Execution:
        ws, document = await host_of(ls).document(arguments)
        session = host_of(ls).sessions.executing(ws, arguments.session_id, document.path)
        async with host_of(ls).progress(ws, session.id, "Planact: executing"):
            return await execute_plan(
                ws,
                session.id,
                document.path,
                Confirmation.UNLESS_APPROVED,
                only_steps=arguments.steps,
                seen_hash=arguments.approve_hash,
            )
