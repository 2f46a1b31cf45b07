"""`planact.showExecution`: the record of one run."""

from planact.base.errors import NotFound
from planact.lsp.arguments import ShowExecution
from planact.lsp.host import host_of
from planact.lsp.results import ExecutionShown
from planact.lsp.server import PlanactServer
from planact.workflows.report_execution import find_execution, report


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.showExecution")
    async def on_show_execution(ls: PlanactServer, arguments: ShowExecution) -> ExecutionShown:
        missing: NotFound | None = None
        for ws in host_of(ls).workspaces():
            try:
                run = find_execution(ws, arguments.execution_id)
            except NotFound as error:
                missing = error
            else:
                return ExecutionShown(**dict(run), report=report(run))
        raise missing or NotFound("NO_WORKSPACE", "no folder is open", "Open a folder; executions live in one.")
