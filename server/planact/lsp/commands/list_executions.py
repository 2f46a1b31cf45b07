"""`planact.listExecutions`: the runs in a folder, the newest first."""

from planact.lsp.arguments import ListExecutions
from planact.lsp.host import host_of
from planact.lsp.results import Executions
from planact.lsp.server import PlanactServer
from planact.workflows.journaled import newest_first


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.listExecutions")
    async def on_list_executions(ls: PlanactServer, arguments: ListExecutions) -> Executions:
        found = newest_first(host_of(ls).workspace(arguments.folder))
        wanted = (run for run in found if arguments.plan_id in ("", run.plan_id))
        return Executions(executions=tuple(wanted))
