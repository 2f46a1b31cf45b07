"""The display of running work in the client: progress that the user can cancel, and lenses and hints that follow."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from lsprotocol import types

from planact.lsp.editor.progress import Progress, show_progress
from planact.lsp.host.folders import Folders
from planact.lsp.host.workspaces import WorkspaceLookup
from planact.lsp.server import PlanactServer
from planact.workflows.workspace import Workspace


class BackgroundTasks:
    """Keeps a reference to each running task, since the event loop keeps none."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Future[Any]] = set()

    def start(self, work: Awaitable[Any]) -> None:
        """Run `work` as a task; its failure is reported by the event loop."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_REFRESH_LIMIT = 5.0


class WorkDisplay:
    """Shows the work of all sessions of one client."""

    def __init__(
        self, server: PlanactServer, workspaces: WorkspaceLookup, folders: Folders, background: BackgroundTasks
    ) -> None:
        self._server = server
        self._workspaces = workspaces
        self._folders = folders
        self._background = background
        self._listeners: dict[str, Callable[[str], None]] = {}

    @contextlib.asynccontextmanager
    async def progress(self, ws: Workspace, session_id: str, title: str) -> AsyncIterator[Progress]:
        """Show that a session works, to the end of the block; the user can stop the session there."""

        def stop() -> None:
            self._background.start(ws.stop(session_id))

        folder = self._folders.label(self._workspaces.folder(ws))
        title = f"{title} in {folder}" if folder else title
        can_create = self._server.client.progress
        async with show_progress(self._server.protocol, title, stop, can_create=can_create) as progress:
            self._listeners[session_id] = progress.report
            try:
                yield progress
            finally:
                self._listeners.pop(session_id, None)
                self.refresh()

    def report(self, session_id: str, text: str) -> None:
        """Show in one line how far a session's work is, if its progress is shown."""
        if session_id in self._listeners:
            self._listeners[session_id](text)

    def refresh(self) -> None:
        """Have the client ask for lenses and hints again, if it can."""
        client = self._server.client
        if client.code_lens_refresh:
            self._background.start(self._request(types.WORKSPACE_CODE_LENS_REFRESH))
        if client.inlay_hint_refresh:
            self._background.start(self._request(types.WORKSPACE_INLAY_HINT_REFRESH))

    async def _request(self, method: str) -> None:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._server.protocol.request(method), _REFRESH_LIMIT)
