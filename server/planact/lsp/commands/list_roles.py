"""`planact.listRoles`: the roles that can be chosen, and why the files of others aren't used."""

from planact.lsp.arguments import OneFolder
from planact.lsp.host import host_of
from planact.lsp.results import RoleListed, Roles
from planact.lsp.server import PlanactServer
from planact.workflows.roles import list_roles


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.listRoles")
    async def on_list_roles(ls: PlanactServer, arguments: OneFolder) -> Roles:
        roles, problems = list_roles(host_of(ls).workspace(arguments.folder))
        listed = tuple(RoleListed.of(role) for role in roles)
        return Roles(roles=listed, problems=tuple(problem.message for problem in problems))
