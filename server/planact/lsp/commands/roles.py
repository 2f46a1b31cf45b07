"""Commands on the roles that work in a session."""

from pydantic import Field

from planact.base.frozen_model import FrozenModel
from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol.arguments import OneFolder, OneSession
from planact.lsp.server import PlanactServer
from planact.model.chat.message import Session
from planact.model.rights.permission import Mode, Permission, Rights, Role, RoleSource
from planact.policy.rights import may_use
from planact.tools.registry import tools_for
from planact.workflows.sessions.roles import list_roles, set_role


class SetRole(OneSession):
    """The session's role from the next tool call on. It must be for the session's mode, else MODE_CONFLICT."""

    role: str = Field(min_length=1)


class RoleListed(FrozenModel):
    """A role that can be chosen in sessions of its mode.

    `tools` are names; `paths` the patterns that limit its writes, empty = the mode's limits alone; `model` is empty
    where the mode's own is used. `delegable` are the permissions that it can hand out.
    """

    name: str
    description: str
    mode: Mode
    source: RoleSource
    permissions: tuple[Permission, ...]
    tools: tuple[str, ...]
    paths: tuple[str, ...]
    model: str
    delegable: tuple[Permission, ...] = ()

    @classmethod
    def of(cls, role: Role) -> "RoleListed":
        """Return the row for a role."""
        return cls(
            name=role.name,
            description=role.description,
            mode=role.mode,
            source=role.source,
            permissions=_ordered(role.rights),
            tools=tuple(tool.name for tool in tools_for(role.rights)),
            paths=tuple(sorted(pattern for patterns in role.rights.paths for pattern in patterns)),
            model=role.model,
            delegable=_ordered(role.delegable_rights) if may_use(role.rights, "delegate") else (),
        )


def _ordered(rights: Rights) -> tuple[Permission, ...]:
    return tuple(permission for permission in Permission if permission in rights.permissions)


class Roles(FrozenModel):
    """Roles by name; `problems` says which role files are not used, and why."""

    roles: tuple[RoleListed, ...]
    problems: tuple[str, ...]


async def handle_set_role(ls: PlanactServer, arguments: SetRole) -> Session:
    """Choose the session's role."""
    ws, session = host_of(ls).sessions.choose(arguments)
    return set_role(ws, session.id, arguments.role)


async def handle_list_roles(ls: PlanactServer, arguments: OneFolder) -> Roles:
    """List the roles that can be chosen, and why the files of others aren't used."""
    roles, problems = list_roles(host_of(ls).workspaces.get(arguments.folder))
    listed = tuple(RoleListed.of(role) for role in roles)
    return Roles(roles=listed, problems=tuple(problem.message for problem in problems))
