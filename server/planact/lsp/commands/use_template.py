"""`planact.useTemplate`: a plan from a template."""

from planact.lsp.arguments import UseTemplate
from planact.lsp.host import host_of
from planact.lsp.results import PlanMade
from planact.lsp.server import PlanactServer
from planact.workflows.templates import find_template, use_template


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.useTemplate")
    async def on_use_template(ls: PlanactServer, arguments: UseTemplate) -> PlanMade:
        ws = host_of(ls).workspace(arguments.folder)
        known = find_template(ws, arguments.name)
        session = host_of(ls).sessions.desk(ws, arguments.session_id)
        document = await use_template(ws, session.id, known.template, arguments.values)
        return host_of(ls).plan_made(ws, session.id, document)
