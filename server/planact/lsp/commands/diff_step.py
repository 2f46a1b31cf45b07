"""`planact.diffStep`: what a step did to files. Clients that can't compare documents get it as one text."""

from planact.base.errors import NotFound
from planact.lsp.arguments import DiffStep
from planact.lsp.differences import FileCompared, StepDifference
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.lsp.show_text import show_text
from planact.model.execution import FileChange
from planact.workflows.journaled import record_of
from planact.workflows.step_changes import StepChanges, difference_of, step_changes
from planact.workflows.workspace import Workspace


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.diffStep")
    async def on_diff_step(ls: PlanactServer, arguments: DiffStep) -> StepDifference:
        ws, found = await _found(ls, arguments)
        diff = difference_of(ws, found)
        compares = ls.client.virtual_documents and ls.client.planact.messages
        if not compares:
            name = f"step-{found.step}.diff" if found.step else "changes.diff"
            await show_text(ls, name, diff)
        return StepDifference(
            execution_id=found.execution.id,
            step=found.step,
            action=found.action,
            files=tuple(_compared(file, is_shown=compares) for file in found.files),
            diff=diff,
        )


async def _found(ls: PlanactServer, arguments: DiffStep) -> tuple[Workspace, StepChanges]:
    host = host_of(ls)
    if not arguments.execution_id:
        ws, document = await host.document(arguments)
        return ws, step_changes(ws, arguments.step, plan_path=document.path)
    for ws in host.workspaces(arguments.folder):
        if record_of(ws, arguments.execution_id):
            return ws, step_changes(ws, arguments.step, execution_id=arguments.execution_id)
    message = f"there is no execution {arguments.execution_id}"
    raise NotFound("EXECUTION_NOT_FOUND", message, "List the executions to see them.")


def _compared(file: FileChange, *, is_shown: bool) -> FileCompared:
    if is_shown and file.is_covered:
        return FileCompared.of(file.path, file.before, file.after)
    what = FileCompared.of(file.path, file.before, file.after).what if file.is_covered else "changed"
    return FileCompared(path=file.path, what=what, before_uri="", after_uri="")
