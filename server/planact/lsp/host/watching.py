"""Watches single files: through the client if it can, else with planact's own watcher, never both."""

import asyncio
import logging
import threading
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from planact.lsp.documents.convert import uri_of
from planact.lsp.server import PlanactServer
from planact.ports import Told, Watcher

log = logging.getLogger(__name__)

MAX_WATCHED_FILES = 500
"""Files that are watched at most; others are checked before a plan is executed."""

_PATTERN = str.maketrans({char: f"[{char}]" for char in "*?[{"})
_ANSWER_LIMIT = 10.0
_METHOD = types.WORKSPACE_DID_CHANGE_WATCHED_FILES


class Watching:
    """Watches the files of all open plans.

    Args:
        server: the client to ask.
        make_watcher: makes planact's own watcher, which reports from a thread.
        touched: called on the event loop with files that may have changed.
    """

    def __init__(
        self,
        server: PlanactServer,
        make_watcher: Callable[[Told], Watcher],
        touched: Callable[[Collection[Path]], None],
    ) -> None:
        self._server = server
        self._make_watcher = make_watcher
        self._touched = touched
        self._watcher: Watcher | None = None
        self._client_refused = False
        self._registered: tuple[str, frozenset[Path]] = ("", frozenset())
        self._registrations = 0
        self._mutex = threading.Lock()
        self._touched_paths: set[Path] = set()
        server.at_exit.append(self.close)

    async def watch(self, files: Mapping[Path, Path]) -> None:
        """Watch exactly these files, each below the folder that is its value. Never fails; one call at a time."""
        chosen = dict(sorted(files.items())[:MAX_WATCHED_FILES])
        if self._server.client.watches_files and not self._client_refused:
            await self._register(chosen)
        if not self._server.client.watches_files or self._client_refused:
            await self._watch(frozenset(chosen))

    async def close(self) -> None:
        """Stop planact's own watcher."""
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            await asyncio.to_thread(watcher.close)

    # --- the client

    async def _register(self, files: Mapping[Path, Path]) -> None:
        """Register the new files, then unregister the old ones, so that no change in between is missed."""
        old, watched = self._registered
        if watched == files.keys():
            return
        self._registrations += 1
        new = f"planact.watch.{self._registrations}" if files else ""
        try:
            if new:
                watchers = [{"globPattern": self._pattern(file, root)} for file, root in files.items()]
                registration = types.Registration(new, _METHOD, {"watchers": watchers})
                await self._ask(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams([registration]))
            self._registered = (new, frozenset(files))
            if old:
                gone = types.UnregistrationParams([types.Unregistration(old, _METHOD)])
                await self._ask(types.CLIENT_UNREGISTER_CAPABILITY, gone)
        except (JsonRpcException, TimeoutError) as error:
            log.warning("the client watches no files, so planact does: %s", error)
            self._client_refused = True

    async def _ask(self, method: str, params: object) -> None:
        await asyncio.wait_for(self._server.protocol.request(method, params), _ANSWER_LIMIT)

    def _pattern(self, file: Path, root: Path) -> dict[str, str] | str:
        path = file.relative_to(root).as_posix().translate(_PATTERN)
        can_be_relative = self._server.client.relative_patterns
        return {"baseUri": uri_of(root), "pattern": path} if can_be_relative else f"**/{path}"

    # --- planact's own watcher

    async def _watch(self, files: frozenset[Path]) -> None:
        if self._watcher is None:
            if not files:
                return
            loop = asyncio.get_running_loop()
            self._watcher = self._make_watcher(lambda paths: self._touched_by_thread(loop, paths))
        for file, why in (await asyncio.to_thread(self._watcher.watch, files)).items():
            log.debug("%s is not watched: %s", file, why)

    def _touched_by_thread(self, loop: asyncio.AbstractEventLoop, paths: Collection[Path]) -> None:
        """Collect paths, so that one call waits for the event loop however many events come."""
        with self._mutex:
            is_first = not self._touched_paths
            self._touched_paths.update(paths)
        if is_first and not loop.is_closed():
            loop.call_soon_threadsafe(self._drain)

    def _drain(self) -> None:
        with self._mutex:
            paths, self._touched_paths = self._touched_paths, set()
        self._touched(paths)
