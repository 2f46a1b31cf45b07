"""`planact.listExecutions`: the runs in a folder, the newest first."""

from planact.lsp.arguments import ListExecutions
from planact.lsp.host import host_of
from planact.lsp.results import Executions
from planact.lsp.server import PlanactServer
from planact.workflows.report_execution import list_executions


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.listExecutions")
    async def on_list_executions(ls: PlanactServer, arguments: ListExecutions) -> Executions:
        ws = host_of(ls).workspace(arguments.folder)
        found, left_out = list_executions(ws, arguments.limit, plan_id=arguments.plan_id)
        return Executions(executions=found, left_out=left_out)
