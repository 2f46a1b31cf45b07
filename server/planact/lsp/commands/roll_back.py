"""`planact.rollBack`: take back what steps did to files, after the user's yes."""

from planact.base.errors import NotFound
from planact.lsp.arguments import RollBack
from planact.lsp.host import Host, host_of
from planact.lsp.results import FileRolledBack, RolledBack
from planact.lsp.server import PlanactServer
from planact.lsp.show_text import show_text
from planact.workflows.roll_back import FilesMovedOn, Wanted, became, roll_back
from planact.workflows.workspace import Workspace


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.rollBack")
    async def on_roll_back(ls: PlanactServer, arguments: RollBack) -> RolledBack:
        ws, session_id, wanted = await _wanted(host_of(ls), arguments)
        try:
            done = await roll_back(ws, session_id, wanted)
        except FilesMovedOn as moved_on:
            await show_text(ls, "changes.diff", f"{moved_on.message}\n\n{moved_on.diff}")
            raise
        finally:
            host_of(ls).refresh()
        return RolledBack(
            session_id=session_id,
            execution_ids=tuple(run.id for run in done.executions),
            steps=done.steps,
            files=tuple(FileRolledBack(path=file.path, what=became(file)) for file in done.files),
            stayed=done.stayed,
        )


async def _wanted(host: Host, arguments: RollBack) -> tuple[Workspace, str, Wanted]:
    """Where, in which session it is asked and told, and what."""
    if not arguments.execution_id:
        ws, document = await host.document(arguments)
        session = host.sessions.executing(ws, arguments.session_id, document.path)
        return ws, session.id, Wanted(plan_path=document.path, step=arguments.step)
    for ws in host.workspaces(arguments.folder):
        for run in ws.ports.journal.runs():
            if run.execution_id == arguments.execution_id:
                session = host.sessions.of(ws, arguments.session_id or run.session_id)
                return ws, session.id, Wanted(run.execution_id, step=arguments.step)
    message = f"there is no execution {arguments.execution_id}"
    raise NotFound("EXECUTION_NOT_FOUND", message, "List the executions to see them.")
