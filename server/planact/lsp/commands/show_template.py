"""`planact.showTemplate`: a template with its text."""

from planact.lsp.arguments import OneTemplate
from planact.lsp.host import host_of
from planact.lsp.results import TemplateShown, listed
from planact.lsp.server import PlanactServer
from planact.workflows.templates import find_template


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.showTemplate")
    async def on_show_template(ls: PlanactServer, arguments: OneTemplate) -> TemplateShown:
        known = find_template(host_of(ls).workspace(arguments.folder), arguments.name)
        return TemplateShown(**listed(known), text=known.template.tree.text)
