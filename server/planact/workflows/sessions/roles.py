"""Which role works, looked up anew each time: a trusted workspace's file over the user's own over the built-in one."""

import asyncio
import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from planact.base.errors import Conflict, InvalidInput, NotFound, StorageFailure
from planact.model.chat.message import Session
from planact.model.notice import ToolNotice
from planact.model.rights.permission import Mode, Role, RoleFiles, RoleProblem
from planact.policy.rights import MODE_TITLES, mode_rights, narrowed, with_delegates
from planact.policy.roles import BUILT_IN, built_in_role, is_role_name, parse_role, reading_role
from planact.tools.registry import BY_NAME
from planact.workflows.sessions.manage import change_session, default_role
from planact.workflows.trust_folder import is_trusted
from planact.workflows.workspace import Workspace

T = TypeVar("T")

_FOLDER, _ENDING = "roles", ".md"


async def load_roles(workspaces: Sequence[Workspace], more: Callable[[], T]) -> T:
    """Read the files of roles beside the event loop, and run `more` there. The files stay cached until the loop runs
    another task, so that the caller needs no disk for a role.
    """

    def read() -> tuple[Sequence[tuple[object, RoleFiles | None]], T]:
        return [(_trust(ws), _read_roles(ws)) for ws in workspaces], more()

    seen, result = await asyncio.to_thread(read)
    for ws, (trust, files) in zip(workspaces, seen, strict=True):
        if files is not None and (not files.repository or trust == _trust(ws)):  # else it was taken back meanwhile
            ws.role_files = files
            asyncio.get_running_loop().call_soon(_forget, ws, files)
    return result


def _trust(ws: Workspace) -> object:
    """The facts that a repository's trust rests on, besides the files themselves."""
    return ws.is_restricted(), ws.ports.approvals.trusted()


def _forget(ws: Workspace, files: RoleFiles) -> None:
    if ws.role_files is files:
        ws.role_files = None


def _read_roles(ws: Workspace) -> RoleFiles | None:
    """Return the files of roles; None where a folder can't be listed, which the reader of a role reports."""
    names, problems = _listed(ws)
    if problems:
        return None
    names |= set(map(str.lower, names))  # there are disks that take `A` and `a` for the same
    return RoleFiles(
        {name: _read_repository(ws, name) for name in names}, {name: _read_user(ws, name) for name in names}
    )


def find_role(ws: Workspace, name: str) -> Role | RoleProblem | None:
    """The role called `name`, why its file isn't used, or None where there is none.

    A file that counts and can't be used hides the role below it, which might give more than its author meant to.
    """
    if not is_role_name(name):
        return None
    found, counts = _of_repository(ws, name)
    if counts:
        return found
    return _of_user(ws, name) or (built_in_role(name) if name in BUILT_IN else found)


def list_roles(ws: Workspace) -> tuple[Sequence[Role], Sequence[RoleProblem]]:
    """The roles that can be used, by name, and what is wrong with the files that aren't used."""
    seen = ws.role_files
    names, problems = (set(seen.repository), list[RoleProblem]()) if seen is not None else _listed(ws)
    roles: list[Role] = []
    for name in sorted(names.union(BUILT_IN)):
        role = find_role(ws, name)
        if isinstance(role, Role):
            roles.append(role)
        for found in (_of_repository(ws, name)[0], _of_user(ws, name)):
            if isinstance(found, RoleProblem):
                problems.append(found)
    return roles, problems


def set_role(ws: Workspace, session_id: str, name: str) -> Session:
    """Set the session's role; it holds from the next tool call on. Only the user's front ends call this.

    Raises:
        NotFound: ROLE_NOT_FOUND.
        InvalidInput: ROLE_INVALID, when its file isn't used.
        Conflict: MODE_CONFLICT, when the role is for the other mode, which only the user changes.
    """
    role, session = usable_role(ws, name), ws.ports.sessions.get(session_id)
    if role.mode is not session.mode:
        now, needed = MODE_TITLES[session.mode], MODE_TITLES[role.mode]
        message = f"the role {name} is for {needed}, and the session is in {now}"
        raise Conflict("MODE_CONFLICT", message, f"Switch to {needed} first.")
    if session.role != name:
        ws.add_message(session_id, "system", f"The role is {name} from now on.")
    return change_session(ws, session_id, role=name)


def usable_role(ws: Workspace, name: str) -> Role:
    """The role called `name`. Raises NotFound ROLE_NOT_FOUND, InvalidInput ROLE_INVALID."""
    found = find_role(ws, name)
    if isinstance(found, RoleProblem):
        raise InvalidInput("ROLE_INVALID", found.message, "Choose another role meanwhile.")
    if found is None:
        known = [role.name for role in list_roles(ws)[0]]
        near = difflib.get_close_matches(name[:80], known, 1)
        hint = f"Did you mean {near[0]!r}?" if near else f"The roles are {', '.join(known)}."
        raise NotFound("ROLE_NOT_FOUND", f"there is no role named {name[:80]!r}", hint)
    return found


def mode_of_role(ws: Workspace, name: str) -> Mode | None:
    """Return the mode of a role; None where there is no role of that name, or it isn't used."""
    role = find_role(ws, name)
    return role.mode if isinstance(role, Role) else None


def role_of_new_session(ws: Workspace, mode: Mode) -> Role:
    """The role that would work in a new session, with its rights cut down to the mode's."""
    found = find_role(ws, default_role(ws, mode))
    role = found if isinstance(found, Role) and found.mode is mode else reading_role(mode)
    return with_delegates(narrowed(role, mode_rights(mode)), ws.settings.roles.delegates)


@dataclass(slots=True)
class RoleWatch:
    """The role of one turn, as it is at each moment. A stand-in for one that went away never gives more than that gave.

    Attributes:
        delegate: the role that was asked to work; empty = the session's own, which the user may change meanwhile.
    """

    ws: Workspace
    session_id: str
    delegate: str = ""
    _last: tuple[str, Role] | None = None
    _told: set[str] = field(default_factory=set)

    def role(self, session: Session) -> Role:
        """With its rights cut down to the mode's; `session` as it is at this moment."""
        name = self.delegate or session.role
        role, problem = self._in_force(name, session.mode)
        if problem:
            self._notify(problem)
            if self._last is not None and self._last[0] == name:
                role = narrowed(role, self._last[1].rights, self._last[1].delegable_rights)
        self._last = (name, role)
        role = narrowed(role, mode_rights(session.mode))
        return role if self.delegate else with_delegates(role, self.ws.settings.roles.delegates)

    def _in_force(self, name: str, mode: Mode) -> tuple[Role, str]:
        """The role, and why it isn't the one called `name`, or empty."""
        found = find_role(self.ws, name)
        if isinstance(found, Role) and (found.mode is mode or (self.delegate and found.mode is Mode.PLAN)):
            return found, ""
        stand_in = find_role(self.ws, default_role(self.ws, mode))
        limit = ""
        if not isinstance(stand_in, Role) or stand_in.mode is not mode:
            stand_in, limit = reading_role(mode), " and can only read"
        match found:
            case Role():
                cause = f"the role {name} is for {MODE_TITLES[found.mode]}"
            case RoleProblem(message=message):
                cause = message
            case None:
                cause = f"there is no role named {name!r}"
        return stand_in, f"{cause[:1].upper()}{cause[1:]}. {stand_in.name} takes its place{limit}."

    def _notify(self, problem: str) -> None:
        if problem not in self._told:
            self._told.add(problem)
            self.ws.add_message(self.session_id, "system", problem)
            self.ws.ports.editor.notify(ToolNotice(self.session_id, "role", problem, "ROLE_INVALID"))


def _listed(ws: Workspace) -> tuple[set[str], list[RoleProblem]]:
    """The names of the roles that have files, and which folders can't be listed."""
    names, problems = set[str](), list[RoleProblem]()
    folders: tuple[Callable[[], Sequence[str]], ...] = (
        lambda: ws.ports.records.list(_FOLDER),
        ws.ports.user_roles.list,
    )
    for file_names in folders:
        try:
            names |= {name.removesuffix(_ENDING) for name in file_names() if name.endswith(_ENDING)}
        except StorageFailure as failure:
            problems.append(RoleProblem("", f"{failure.message}; {failure.hint}"))
    return names, problems


def _of_repository(ws: Workspace, name: str) -> tuple[Role | RoleProblem | None, bool]:
    seen = ws.role_files
    return _read_repository(ws, name) if seen is None else seen.repository.get(name, (None, False))


def _of_user(ws: Workspace, name: str) -> Role | RoleProblem | None:
    seen = ws.role_files
    return _read_user(ws, name) if seen is None else seen.user.get(name)


def _read_repository(ws: Workspace, name: str) -> tuple[Role | RoleProblem | None, bool]:
    """Return the role in the workspace's file, and True if it counts. The trust is checked before and after reading, so
    that a change in between isn't trusted.
    """
    file = f"{_FOLDER}/{name}{_ENDING}"
    where = f".planact/{file}"
    records, counts = ws.ports.records, False
    try:
        text = records.read(file)
        if text is None:
            return None, False
        counts = is_trusted(ws)
        if not counts or records.read(file) != text:
            cause = "the folder isn't trusted as it is now; trust it, or remove the file"
            return RoleProblem(name, f"the role file {where} is not used: {cause}"), False
    except StorageFailure as failure:
        return RoleProblem(name, f"the role file {where} is not used: {failure.message}; {failure.hint}"), counts
    return parse_role(text, name, where, "repository", BY_NAME), True


def _read_user(ws: Workspace, name: str) -> Role | RoleProblem | None:
    file = f"{name}{_ENDING}"
    where = ws.ports.user_roles.shown(file)
    try:
        text = ws.ports.user_roles.read(file)
    except StorageFailure as failure:
        return RoleProblem(name, f"the role file {where} is not used: {failure.message}; {failure.hint}")
    return None if text is None else parse_role(text, name, where, "user", BY_NAME)
