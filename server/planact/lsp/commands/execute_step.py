"""`planact.executeStep`: the user's yes to a plan, and the execution of one of its steps."""

from planact.lsp.arguments import ExecuteStep
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.model.execution import Execution
from planact.workflows.execute_plan import Confirmation, execute_plan


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.executeStep")
    async def on_execute_step(ls: PlanactServer, arguments: ExecuteStep) -> Execution:
        ws, document = await host_of(ls).document(arguments)
        session = host_of(ls).sessions.executing(ws, arguments.session_id, document.path)
        async with host_of(ls).progress(ws, session.id, f"Planact: step {arguments.step}"):
            return await execute_plan(
                ws,
                session.id,
                document.path,
                Confirmation.UNLESS_APPROVED,
                only_steps=(arguments.step,),
                seen_hash=arguments.approve_hash,
            )
