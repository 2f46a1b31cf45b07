"""`planact.resumeExecution`: go on where a run paused, failed or was killed."""

from planact.base.errors import NotFound
from planact.lsp.arguments import ResumeExecution
from planact.lsp.host import Host, host_of
from planact.lsp.server import PlanactServer
from planact.model.execution import Execution
from planact.workflows.resume_execution import resume_execution, run_to_resume, session_to_resume
from planact.workflows.workspace import Workspace


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.resumeExecution")
    async def on_resume_execution(ls: PlanactServer, arguments: ResumeExecution) -> Execution:
        host = host_of(ls)
        ws, run = await _run(host, arguments)
        session_id = arguments.session_id or session_to_resume(ws, run)
        session = host.sessions.executing(ws, session_id, run.plan_file)
        async with host.progress(ws, session.id, "Planact: executing"):
            return await resume_execution(ws, session.id, run)


async def _run(host: Host, arguments: ResumeExecution) -> tuple[Workspace, Execution]:
    if arguments.uri or arguments.plan_id:
        ws, document = await host.document(arguments)
        return ws, run_to_resume(ws, path=document.path)
    if not arguments.execution_id:
        ws = host.workspace(arguments.folder)
        return ws, run_to_resume(ws)
    missing: NotFound | None = None
    for ws in host.workspaces(arguments.folder):
        try:
            return ws, run_to_resume(ws, execution_id=arguments.execution_id)
        except NotFound as error:
            missing = error
    raise missing or NotFound("NO_WORKSPACE", "no folder is open", "Open the folder that holds the plan.")
