"""`planact.showChanges`: what changed in the files that a plan rests on."""

from planact.lsp.arguments import OnePlan
from planact.lsp.differences import FileChanged, PlanChanges
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.lsp.show_text import show_text
from planact.workflows.check_freshness import changed_files
from planact.workflows.show_changes import show_changes


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.showChanges")
    async def on_show_changes(ls: PlanactServer, arguments: OnePlan) -> PlanChanges:
        ws, document = await host_of(ls).document(arguments)
        changed = changed_files(ws, document.complete())
        diff = show_changes(ws, changed)
        await show_text(ls, "changes.diff", diff or "Nothing that the plan rests on has changed.\n")
        return PlanChanges(
            path=document.path,
            uri=host_of(ls).uri(ws, document.path),
            files=tuple(FileChanged(path=file.path, what=file.what) for file in changed),
            diff=diff,
        )
