"""`planact.listTemplates`: the templates of a folder."""

from planact.lsp.arguments import OneFolder
from planact.lsp.host import host_of
from planact.lsp.results import TemplateListed, Templates, listed
from planact.lsp.server import PlanactServer
from planact.workflows.templates import list_templates


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.listTemplates")
    async def on_list_templates(ls: PlanactServer, arguments: OneFolder) -> Templates:
        known, problems = list_templates(host_of(ls).workspace(arguments.folder))
        rows = tuple(TemplateListed(**listed(each)) for each in known)
        return Templates(templates=rows, problems=tuple(str(problem) for problem in problems))
