"""`planact.deleteTemplate`: delete a template of the workspace, after a yes."""

from planact.lsp.arguments import OneTemplate
from planact.lsp.host import host_of
from planact.lsp.results import TemplateDeleted
from planact.lsp.server import PlanactServer
from planact.workflows.templates import delete_template, find_template


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.deleteTemplate")
    async def on_delete_template(ls: PlanactServer, arguments: OneTemplate) -> TemplateDeleted:
        ws = host_of(ls).workspace(arguments.folder)
        known = find_template(ws, arguments.name)
        session = host_of(ls).sessions.desk(ws, arguments.session_id)
        path = await delete_template(ws, session.id, known)
        return TemplateDeleted(name=arguments.name, path=path)
