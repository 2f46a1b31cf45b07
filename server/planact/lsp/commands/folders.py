"""Commands on a workspace folder: its status, and the trust in it."""

import asyncio
from pathlib import Path
from typing import Literal

from planact import __version__
from planact.base.frozen_model import FrozenModel
from planact.lsp.documents.convert import uri_of
from planact.lsp.host.workspace_host import Host, host_of
from planact.lsp.protocol.arguments import OneFolder
from planact.lsp.server import PlanactServer
from planact.model.chat.message import Session
from planact.model.rights.permission import Mode
from planact.model.work import Work
from planact.workflows.history.half_calls import HALF_CALL_NEXT_STEP, find_half_calls
from planact.workflows.history.interruption import find_interrupted_rollbacks, rollback_warning
from planact.workflows.sessions.choose_model import chosen_model, model_name, what_is_missing
from planact.workflows.sessions.manage import start_mode
from planact.workflows.trust_folder import is_trusted, trust_folder
from planact.workflows.turns.mcp_tools import servers_in_use


class TrustFolder(OneFolder):
    """`seen` is the `fingerprint` of `planact.showStatus` when the user was asked; empty = the current one."""

    seen: str = ""


class FolderTrusted(FrozenModel):
    """The folder's `.planact/` counts as it is now; `fingerprint` is the SHA-256 of what was trusted, or empty."""

    folder: str
    fingerprint: str


class OpenFolder(FrozenModel):
    """A workspace folder, under the name that the client gave it; commands take its `uri`."""

    uri: str
    name: str
    path: str


class HalfRolledBack(FrozenModel):
    """A run whose rollback was killed; `text` says so. `planact.rollBack` with its id completes it."""

    execution_id: str
    text: str


class HalfMade(FrozenModel):
    """A run that was killed in a call which changed only some of its files; `text` says so. The next run undoes the
    call first, and so does `planact.rollBack` with its id.
    """

    execution_id: str
    text: str


class Status(FrozenModel):
    """Status of a folder.

    Attributes:
        folder: its URI; empty where none is open.
        session: the current one; missing before the first.
        mode: of that session, or of the one to come.
        model: the name of the model in use, empty = none chosen.
        context_window: tokens that the model takes in one request; 0 = unknown.
        is_running: that session has work under way.
        open_questions: their number, in all folders.
        is_trusted: `.planact/` of the folder counts fully; also true when it holds no file to trust.
        fingerprint: of all in `.planact/` of the folder that counts only when trusted; empty = none.
        folders: all workspace folders, in the client's order.
        sandbox: description of the sandbox that commands run in here.
        mcp_servers: names of the MCP servers that the settings of the folder have.
        missing: the choice or key that the user still has to give before a model can be asked.
        is_restricted: the client said that the workspace isn't trusted, so that no command runs there.
        half_rolled_back: runs of which some files may be put back, and others not.
        half_made: runs that were killed in a call which changed only some of its files.
        work: the work to show where there is room for one; missing where no folder is open.
        works: all work of the folder that isn't idle, `work` first. `planact/workChanged` tells each change of both.
    """

    version: str
    folder: str = ""
    session: Session | None = None
    mode: Mode
    model: str = ""
    context_window: int = 0
    is_running: bool = False
    open_questions: int = 0
    is_trusted: bool = False
    fingerprint: str = ""
    folders: tuple[OpenFolder, ...] = ()
    sandbox: str = ""
    mcp_servers: tuple[str, ...] = ()
    missing: Literal["", "model", "key"] = ""
    is_restricted: bool = False
    half_rolled_back: tuple[HalfRolledBack, ...] = ()
    half_made: tuple[HalfMade, ...] = ()
    work: Work | None = None
    works: tuple[Work, ...] = ()


async def handle_show_status(ls: PlanactServer, arguments: OneFolder) -> Status:
    """Return the status of a folder."""
    host = host_of(ls)
    status = await asyncio.to_thread(_status, host, arguments.folder)
    if not status.folder:
        return status
    work = host.works.of(host.workspaces.folder(host.workspaces.get(arguments.folder)))
    await work.refresh(at_all=True)
    told = work.state()
    return status.model_copy(update={"work": told.work, "works": told.works})


def _status(host: Host, folder: str) -> Status:
    names = dict(host.folders.names)
    if not names:
        return Status(version=__version__, mode=Mode.PLAN, is_restricted=host.app.settings.is_restricted)
    ws = host.workspaces.get(folder)
    session = host.sessions.current(ws)
    model = model_name(ws, session.id) if session else chosen_model(ws, Mode.PLAN)
    return Status(
        version=__version__,
        folder=uri_of(host.workspaces.folder(ws)),
        session=session,
        mode=session.mode if session else start_mode(ws),
        model=model,
        context_window=ws.ports.models.about(model).context_tokens if model else 0,
        is_running=session is not None and session.id in ws.running,
        open_questions=sum(len(each.questions.open()) for each in host.workspaces.all()),
        is_trusted=is_trusted(ws),
        fingerprint=ws.ports.records.fingerprint(),
        folders=tuple(OpenFolder(uri=uri_of(root), name=name, path=str(root)) for root, name in names.items()),
        sandbox=ws.ports.runner.describe(),
        mcp_servers=servers_in_use(ws),
        missing=what_is_missing(ws, model),
        is_restricted=ws.is_restricted(),
        half_rolled_back=tuple(
            HalfRolledBack(execution_id=run.id, text=rollback_warning(run)) for run in find_interrupted_rollbacks(ws)
        ),
        half_made=tuple(
            HalfMade(execution_id=call.begun.execution_id, text=f"{call.warning}. {HALF_CALL_NEXT_STEP}")
            for call in find_half_calls(ws)
        ),
    )


async def handle_trust_folder(ls: PlanactServer, arguments: TrustFolder) -> FolderTrusted:
    """Trust the folder's `.planact/` as it is now."""
    ws = host_of(ls).workspaces.get(arguments.folder)
    return FolderTrusted(folder=str(Path(ws.ports.files.root)), fingerprint=trust_folder(ws, arguments.seen))
