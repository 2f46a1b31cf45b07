"""`planact.showExecution`: the record of one run."""

from planact.base.errors import NotFound
from planact.lsp.arguments import ShowExecution
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.model.execution import Execution


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.showExecution")
    async def on_show_execution(ls: PlanactServer, arguments: ShowExecution) -> Execution:
        wanted = arguments.execution_id
        for ws in host_of(ls).workspaces():
            for run in ws.ports.records.executions():
                if run.id == wanted:
                    return run
        raise NotFound("EXECUTION_NOT_FOUND", f"there is no execution {wanted}", "List the executions to see them.")
