"""One language server: its start, its end, and its answers."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeVar

from planact.adapters.language_servers.client import FileEvent, LanguageClient, ServerFailure
from planact.adapters.language_servers.server import KnownServer, parts_of
from planact.base.errors import CommandFailure
from planact.base.paths import Place
from planact.model.file import EditorProblem
from planact.ports import Runner

_IDLE_SECONDS = 600.0
_LOOK_SECONDS = 10.0
_CHECK_SECONDS = 120.0  # also of the first files, for which a server reads the whole project
_MOST_MEMORY = 3_000_000_000  # bytes
_STARTS = 2

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ServerContext:
    """What all servers of a workspace folder start with.

    Attributes:
        root: the workspace folder, by its real path.
        home: the user's.
        search_path: the folders in which programs are looked for, none of them in the workspace.
        runner: the runner of the folder's commands now.
        scratch: returns a folder for what servers write for a while.
        forbidden: returns why none may start now; empty = they may. It may read the disk.
        version: planact's.
    """

    root: Path
    home: Path
    search_path: str
    runner: Callable[[], Runner]
    scratch: Callable[[], str]
    forbidden: Callable[[], str]
    version: str
    idle_seconds: float = _IDLE_SECONDS


class OneServer:
    """One language server, which starts with its first check, again once if it fails, and ends when nothing asks it for
    a while.
    """

    def __init__(self, name: str, server: KnownServer, program: str, context: ServerContext) -> None:
        self.name = name
        self.server = server
        self.has_answered = False
        self._program = program
        self._context = context
        self._starts = 0
        self._trouble = ""
        self._client: LanguageClient | None = None
        self._running = contextlib.AsyncExitStack()
        self._lock = asyncio.Lock()
        self._watching: asyncio.Task[None] | None = None
        self._used = 0.0

    @property
    def is_running(self) -> bool:
        return self._client is not None

    async def check(self, texts: Mapping[str, str]) -> Mapping[str, tuple[EditorProblem, ...]]:
        """Return the problems of files with these texts, by path. Raises ServerFailure."""

        async def check(client: LanguageClient) -> Mapping[str, tuple[EditorProblem, ...]]:
            found = await asyncio.gather(*(client.check(path, text) for path, text in texts.items()))
            return dict(zip(texts, found, strict=True))

        return await self.ask(check)

    async def ask(self, question: Callable[[LanguageClient], Awaitable[T]]) -> T:
        """Return the answer to a question, which no other one interrupts. Raises ServerFailure, RequestRefused."""
        async with self._lock:
            while True:
                client = await self._started()
                try:
                    async with asyncio.timeout(_CHECK_SECONDS):
                        answer = await question(client)
                except (TimeoutError, ServerFailure) as failure:
                    await self._stop()
                    self._trouble = str(failure) or f"it said nothing within {_CHECK_SECONDS:g} s"
                    continue
                self.has_answered = True
                self._used = asyncio.get_running_loop().time()
                return answer

    def files_changed(self, changed: Mapping[str, FileEvent]) -> None:
        """Tell a running server of files on disk, as `LanguageClient.files_changed` does."""
        if self._client is not None:
            with contextlib.suppress(ServerFailure):
                self._client.files_changed(changed)

    async def end(self) -> None:
        """End the server and all its processes."""
        if self._watching is not None:
            self._watching.cancel()
        await self._stop()

    async def _started(self) -> LanguageClient:
        if self._client is not None and not self._client.failure:
            return self._client
        await self._stop()
        if trouble := await asyncio.to_thread(self._context.forbidden):
            raise ServerFailure(trouble)
        while self._starts < _STARTS:
            self._starts += 1
            try:
                return await self._start()
            except (CommandFailure, OSError, ServerFailure) as failure:
                await self._stop()
                self._trouble = failure.message if isinstance(failure, CommandFailure) else str(failure)
            except BaseException:
                await self._stop()
                raise
        raise ServerFailure(self._trouble)

    async def _start(self) -> LanguageClient:
        context = self._context
        variables = {**self.server.environment, "PATH": context.search_path}
        folder = Place(asked=".", real=context.root, relative=PurePosixPath(), exists=True, is_directory=True)
        argv = [self._program, *self.server.command[1:]]
        parts = parts_of(self._program, context.home, context.root)
        opened = context.runner().open(argv, folder, variables, parts, context.scratch())
        program = await self._running.enter_async_context(opened)
        client = LanguageClient(program, self.server, context.root, context.version)
        self._running.push_async_callback(client.close)
        await client.initialize()
        self._client, self._used = client, asyncio.get_running_loop().time()
        self._watching = asyncio.ensure_future(self._watch(client, program.memory))
        return client

    async def _watch(self, client: LanguageClient, memory: Callable[[], int]) -> None:
        """End the server when it holds too much memory, or when nothing asked it for a while."""
        while self._client is client:
            await asyncio.sleep(min(_LOOK_SECONDS, self._context.idle_seconds))
            is_large = await asyncio.to_thread(memory) > _MOST_MEMORY
            async with self._lock:
                if self._client is not client:
                    return
                is_idle = asyncio.get_running_loop().time() - self._used >= self._context.idle_seconds
                if is_large:
                    self._trouble = f"it held more than {_MOST_MEMORY // 10**9} GB of memory"
                elif is_idle:
                    self._starts -= 1  # it did nothing wrong
                if is_large or is_idle:
                    await self._stop()

    async def _stop(self) -> None:
        running, self._running, self._client = self._running, contextlib.AsyncExitStack(), None
        await running.aclose()
