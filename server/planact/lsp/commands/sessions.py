"""Commands on conversations: begin, open, list, rename, delete and stop them, and switch their mode."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from planact.base.frozen_model import FrozenModel
from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol.arguments import OneFolder, OneSession
from planact.lsp.server import PlanactServer
from planact.model.chat.message import Session
from planact.model.rights.permission import Mode, parse_mode
from planact.workflows.sessions.manage import delete_session, new_session, rename_session
from planact.workflows.sessions.switch_mode import switch_mode


def _mode(word: Any) -> Any:
    return parse_mode(word) or word if isinstance(word, str) else word


class NewSession(OneFolder):
    """`mode`: as the setting `startMode` says, if missing."""

    mode: Annotated[Mode | None, BeforeValidator(_mode)] = None


class OpenSession(OneSession):
    """The session to make current."""

    session_id: str


class RenameSession(OneSession):
    """`title` in one line."""

    title: str = Field(min_length=1, max_length=200)


class SetMode(OneSession):
    """Switch the mode, by name or alias.

    `confirm_stop` says what to do when work is running that the switch to Plan would stop: true = stop it,
    false = refuse with MODE_CONFLICT (the client asks and sends again), missing = the server asks.
    """

    mode: Annotated[Mode, BeforeValidator(_mode)]
    confirm_stop: bool | None = None


class Stop(OneSession):
    """The session whose work, or wait for the model, is to end; without `session_id`, the one that runs: in the named
    folder first, and there the current one.
    """


class SessionList(FrozenModel):
    """Sessions, the last used first."""

    sessions: tuple[Session, ...]


class SessionDeleted(FrozenModel):
    """The deleted session."""

    session_id: str


class StopResult(FrozenModel):
    """`stopped` is false when no work ran."""

    session_id: str
    stopped: bool


class RetryResult(FrozenModel):
    """`retried` is false when no work ran."""

    session_id: str
    retried: bool


async def handle_new_session(ls: PlanactServer, arguments: NewSession) -> Session:
    """Begin a session and make it current."""
    ws = host_of(ls).workspaces.get(arguments.folder)
    return host_of(ls).sessions.make_current(ws, new_session(ws, arguments.mode))


async def handle_open_session(ls: PlanactServer, arguments: OpenSession) -> Session:
    """Make an earlier session current."""
    _, session = host_of(ls).sessions.choose(arguments)
    return session


async def handle_list_sessions(ls: PlanactServer, arguments: OneFolder) -> SessionList:
    """List the sessions of a folder, the last used first."""
    return SessionList(sessions=tuple(host_of(ls).workspaces.get(arguments.folder).ports.sessions.list()))


async def handle_rename_session(ls: PlanactServer, arguments: RenameSession) -> Session:
    """Change a session's title."""
    ws, session = host_of(ls).sessions.find(arguments)
    return rename_session(ws, session.id, arguments.title)


async def handle_delete_session(ls: PlanactServer, arguments: OneSession) -> SessionDeleted:
    """Delete a session, after the user confirmed."""
    ws, session = host_of(ls).sessions.find(arguments)
    await delete_session(ws, session.id)
    return SessionDeleted(session_id=session.id)


async def handle_stop(ls: PlanactServer, arguments: Stop) -> StopResult:
    """Stop a session's work at the next safe point. Begins at once, even while settings are read for other commands."""
    host = host_of(ls)
    if not any(ws.running for ws in host.workspaces.all()):
        await host.workspaces.refresh()  # after commands that are about to begin, so that it stops them
    ws, session = host.sessions.to_stop(arguments)
    return StopResult(session_id=session.id, stopped=await ws.stop(session.id))


async def handle_retry_now(ls: PlanactServer, arguments: Stop) -> RetryResult:
    """Send the request that waits for a busy model again at once."""
    ws, session = host_of(ls).sessions.to_stop(arguments)
    return RetryResult(session_id=session.id, retried=ws.retry_now(session.id))


async def handle_set_mode(ls: PlanactServer, arguments: SetMode) -> Session:
    """Switch the session's mode."""
    ws, session = host_of(ls).sessions.choose(arguments)
    return await switch_mode(ws, session.id, arguments.mode, confirm_stop=arguments.confirm_stop)
