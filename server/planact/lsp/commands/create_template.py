"""`planact.createTemplate`: a template from a plan."""

from planact.lsp.arguments import CreateTemplate
from planact.lsp.host import host_of
from planact.lsp.results import TemplateCreated
from planact.lsp.server import PlanactServer
from planact.workflows.templates import create_template


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.createTemplate")
    async def on_create_template(ls: PlanactServer, arguments: CreateTemplate) -> TemplateCreated:
        ws, document = await host_of(ls).document(arguments)
        session = host_of(ls).sessions.desk(ws, arguments.session_id)
        made = await create_template(
            ws, session.id, document, arguments.name, arguments.description, arguments.parameters
        )
        return TemplateCreated(name=arguments.name, path=made.path, uri=host_of(ls).uri(ws, made.path))
