"""The language servers of one workspace folder, and what they say of the edits of each session."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from planact.adapters.language_servers.client import (
    CHANGED,
    MADE,
    REMOVED,
    FileEvent,
    LanguageClient,
    RequestRefused,
    ServerFailure,
)
from planact.adapters.language_servers.compare import KnownProblems, compared
from planact.adapters.language_servers.navigation import find_places, propose_actions, propose_rename
from planact.adapters.language_servers.one_server import OneServer, ServerContext
from planact.adapters.language_servers.server import choose_servers, find_server
from planact.model.file import EditCheck, EditedText, EditorProblem, FileCheck
from planact.model.navigation import CodeAction, CodePlace, NamedPlace, PlaceKind, ServerAnswer, WorkspaceEdit
from planact.model.runs.execution import FileChange
from planact.model.settings import LanguageServer

WAIT_SECONDS = 1.5
"""So long an edit's result waits for servers that have answered before."""

_ASKED_SECONDS = 60.0
_LARGEST_TEXT = 2_000_000  # characters
_MOST_CHANGES = 2_000  # on disk, of one command

T = TypeVar("T")


@dataclass(slots=True)
class _Session:
    """The edits of one session.

    Attributes:
        untold: edited files of which nothing was returned yet, with their servers.
        known: the errors that each file had when it was last spoken of, or before its first edit.
        found: the checks that came since.
        troubles: those that were told.
        by_text: the problems of texts that were checked.
    """

    untold: dict[str, str] = field(default_factory=dict)
    known: dict[str, Sequence[EditorProblem]] = field(default_factory=dict)
    found: dict[str, FileCheck] = field(default_factory=dict)
    troubles: set[tuple[str, str]] = field(default_factory=set)
    by_text: KnownProblems = field(default_factory=KnownProblems)


class OwnLanguageServers:
    """`ports.LanguageServers` of one workspace folder."""

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        self._settings: Mapping[str, LanguageServer] = {}
        self._by_suffix: dict[str, OneServer] | None = None
        self._leaving: list[OneServer] = []
        self._sessions: dict[str, _Session] = {}
        self._waiting: dict[tuple[str, str], EditedText] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._asked: set[asyncio.Task[Any]] = set()
        self._came = asyncio.Event()

    def use(self, settings: Mapping[str, LanguageServer]) -> None:
        """Apply the current settings, from any thread; servers that run end with the next check."""
        if settings != self._settings:
            self._leaving += self._all()
            self._settings, self._by_suffix = settings, None

    def names(self) -> Sequence[str]:
        return tuple(dict.fromkeys(server.name for server in self._servers().values()))

    def suffixes(self, like: str = "") -> Sequence[str]:
        servers = self._servers()
        wanted = servers.get(Path(like).suffix)
        return tuple(suffix for suffix, server in servers.items() if server is wanted or not like)

    async def prepare_edits(self, session_id: str, paths: Sequence[str]) -> None:
        """Do nothing: these servers check any text, the one before an edit, too."""

    def check_edits(self, session_id: str, edits: Sequence[EditedText]) -> None:
        session = self._sessions.setdefault(session_id, _Session())
        for edit in edits:
            server = self._server_of(edit.path, edit.after)
            if server is None:
                continue
            earlier = self._waiting.get((session_id, edit.path))
            self._waiting[session_id, edit.path] = replace(edit, before=earlier.before) if earlier else edit
            session.untold[edit.path] = server.name
            session.found.pop(edit.path, None)
            if server.name not in self._tasks:
                self._tasks[server.name] = asyncio.ensure_future(self._work(server))

    def files_changed(self, changes: Sequence[FileChange]) -> None:
        changed = {change.path: _kind(change) for change in changes[:_MOST_CHANGES]}
        for server in self._all() if changed else ():
            server.files_changed(changed)

    async def news(self, session_id: str) -> Sequence[EditCheck]:
        session = self._sessions.get(session_id)
        if session is None:
            return ()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WAIT_SECONDS):
                while any(self._is_on_its_way(path, session) for path in session.untold):
                    self._came.clear()
                    await self._came.wait()
        found, untold = session.found, session.untold
        session.found, session.untold = {}, {}
        told = [_result(check, session) for check in found.values()]
        hopeless = {server for server, _ in session.troubles}
        waiting = ((path, server) for path, server in untold.items() if path not in found)
        later = [EditCheck(path, server) for path, server in waiting if server not in hopeless]
        return [check for check in (*told, *later) if check is not None]

    async def compare(self, session_id: str, edits: Sequence[EditedText], seconds: float) -> Sequence[EditCheck]:
        session = self._sessions.setdefault(session_id, _Session())
        served = [edit for edit in edits if self._server_of(edit.path, edit.after)]
        loop = asyncio.get_running_loop()
        ends = loop.time() + seconds
        if working := [*self._tasks.values()]:  # they learn what files were like before their edits
            await asyncio.wait(working, timeout=seconds)
        unknown = {edit.path: edit.before for edit in served if session.by_text.of(edit.path, edit.before) is None}
        before = {path: text for path, text in unknown.items() if text is not None}
        for check in await self._check(before, ends - loop.time()):
            if check.problems is not None:
                session.by_text.note(check.path, before[check.path], check.problems)
        texts = {edit.path: edit for edit in served}
        found = []
        for check in await self._check({path: edit.after for path, edit in texts.items()}, ends - loop.time()):
            edit = texts[check.path]
            found.append(compared(check, session.by_text.of(edit.path, edit.before)))
            if check.problems is not None:
                session.by_text.note(edit.path, edit.after, check.problems)
                session.known[edit.path] = check.problems
                session.found.pop(edit.path, None)
                session.untold.pop(edit.path, None)
        return found

    async def check(self, texts: Mapping[str, str]) -> Sequence[FileCheck]:
        return await self._check(texts, _ASKED_SECONDS)

    async def _check(self, texts: Mapping[str, str], seconds: float) -> Sequence[FileCheck]:
        by_server: dict[OneServer, dict[str, str]] = {}
        for path, text in texts.items():
            if (server := self._server_of(path, text)) is not None:
                by_server.setdefault(server, {})[path] = text
        # What nobody waits for any more goes on: a server that was started for it will be of use.
        tasks = {asyncio.ensure_future(_checked(server, own)): (server, own) for server, own in by_server.items()}
        for task in tasks:
            self._asked.add(task)
            task.add_done_callback(self._asked.discard)
        if tasks:
            await asyncio.wait(tasks, timeout=max(0.0, seconds))
        checks: list[FileCheck] = []
        for task, (server, own) in tasks.items():
            late = [FileCheck(path, server.name, None, "it gave no answer in time") for path in own]
            checks += task.result() if task.done() else late
        return checks

    async def find_places(
        self, kind: PlaceKind, at: NamedPlace, texts: Mapping[str, str]
    ) -> ServerAnswer[Sequence[CodePlace]] | None:
        return await self._asked_of_project(at.path, texts, lambda client: find_places(client, kind, at, texts))

    async def propose_rename(
        self, at: NamedPlace, new_name: str, texts: Mapping[str, str]
    ) -> ServerAnswer[WorkspaceEdit] | None:
        question = partial(propose_rename, at=at, new_name=new_name, texts=texts)
        return await self._asked_of_project(at.path, texts, question)

    async def propose_actions(
        self, path: str, line: int, texts: Mapping[str, str]
    ) -> ServerAnswer[Sequence[CodeAction]] | None:
        return await self._asked_of(path, texts, lambda client: propose_actions(client, path, line, texts))

    async def _asked_of_project(
        self, path: str, texts: Mapping[str, str], question: Callable[[LanguageClient], Awaitable[T]]
    ) -> ServerAnswer[T] | None:
        """Ask as `_asked_of`, but no server that knows a project only as far as its files are open."""
        server = self._server_of(path, texts[path])
        return await self._asked_of(path, texts, question) if server and server.server.knows_project else None

    async def _asked_of(
        self, path: str, texts: Mapping[str, str], question: Callable[[LanguageClient], Awaitable[T]]
    ) -> ServerAnswer[T] | None:
        """Ask the server for a file's language; None where there is none."""
        server = self._server_of(path, texts[path])
        if server is None:
            return None
        asking = asyncio.ensure_future(_answered(server, question))
        self._asked.add(asking)
        asking.add_done_callback(self._asked.discard)
        await asyncio.wait((asking,), timeout=_ASKED_SECONDS)  # it goes on: a server that starts will be of use
        late: ServerAnswer[T] = ServerAnswer(server.name, None, f"no answer within {_ASKED_SECONDS:g} s")
        return asking.result() if asking.done() else late

    def is_running(self) -> bool:
        """Return whether a server runs or starts."""
        return bool(self._tasks or self._asked or self._leaving) or any(server.is_running for server in self._all())

    async def close(self) -> None:
        """End all servers and their processes."""
        tasks = {*self._tasks.values(), *self._asked}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._tasks.clear()  # one that was cancelled before it began cleaned up nothing
        await asyncio.gather(*(server.end() for server in (*self._all(), *self._leaving)))
        self._leaving = []

    async def _work(self, server: OneServer) -> None:
        """Check the edited files of one server until there are none."""
        try:
            while edits := {key: edit for key, edit in self._waiting.items() if self._server_of(key[1]) is server}:
                for key in edits:
                    del self._waiting[key]
                await self._end_leaving()
                for (session_id, path), check in (await self._compare(server, edits)).items():
                    if (session_id, path) not in self._waiting:  # else a later text counts
                        self._sessions[session_id].found[path] = check
                self._came.set()
        finally:  # not later: an edit that comes now needs another task
            self._tasks.pop(server.name, None)

    async def _compare(
        self, server: OneServer, edits: Mapping[tuple[str, str], EditedText]
    ) -> Mapping[tuple[str, str], FileCheck]:
        """Check the texts before the edits, where nothing is known of them, and those after them."""
        first = {path: edit for (name, path), edit in edits.items() if path not in self._sessions[name].known}
        texts = {path: edit.before for path, edit in first.items() if edit.before is not None}
        earlier = await _checked(server, texts) if texts else ()
        problems = {check.path: check.problems for check in earlier}
        for name, path in edits:
            if path in first and (found := problems.get(path, ())) is not None:
                self._sessions[name].known.setdefault(path, found)
        failed = {check.path: check for check in earlier if check.problems is None}
        server.files_changed({path: MADE if edit.before is None else CHANGED for (_, path), edit in edits.items()})
        now = {check.path: check for check in await _checked(server, {path: e.after for (_, path), e in edits.items()})}
        for (name, path), edit in edits.items():
            by_text, earlier_text = self._sessions[name].by_text, texts.get(path)
            if (found := problems.get(path)) is not None and earlier_text is not None and earlier_text == edit.before:
                by_text.note(path, earlier_text, found)
            if (found := now[path].problems) is not None:
                by_text.note(path, edit.after, found)
        return {key: failed.get(key[1]) or now[key[1]] for key in edits}

    def _is_on_its_way(self, path: str, session: _Session) -> bool:
        server = self._server_of(path)
        return server is not None and server.has_answered and path not in session.found

    async def _end_leaving(self) -> None:
        while self._leaving:
            await self._leaving.pop().end()

    def _servers(self) -> Mapping[str, OneServer]:
        if self._by_suffix is None:
            root, found = self._context.root, dict[str, OneServer]()
            for name, server in choose_servers(self._settings).items():
                free = [suffix for suffix in server.files if suffix not in found]
                if not free or (server.needs and not any((root / need).is_file() for need in server.needs)):
                    continue
                if program := find_server(server.command[0], self._context.search_path, root):
                    found |= dict.fromkeys(free, OneServer(name, server, program, self._context))
            self._by_suffix = found
        return self._by_suffix

    def _server_of(self, path: str, text: str = "") -> OneServer | None:
        return self._servers().get(Path(path).suffix) if len(text) <= _LARGEST_TEXT else None

    def _all(self) -> Sequence[OneServer]:
        return tuple(dict.fromkeys((self._by_suffix or {}).values()))


def _kind(change: FileChange) -> FileEvent:
    if not change.is_covered or (change.before and change.after):
        return CHANGED
    return REMOVED if change.before else MADE


async def _answered(server: OneServer, question: Callable[[LanguageClient], Awaitable[T]]) -> ServerAnswer[T]:
    try:
        return ServerAnswer(server.name, await server.ask(question))
    except (ServerFailure, RequestRefused) as failure:
        return ServerAnswer(server.name, None, str(failure))


async def _checked(server: OneServer, texts: Mapping[str, str]) -> Sequence[FileCheck]:
    try:
        found = await server.check(texts)
    except (ServerFailure, RequestRefused) as failure:
        return [FileCheck(path, server.name, None, str(failure)) for path in texts]
    return [FileCheck(path, server.name, problems) for path, problems in found.items()]


def _result(check: FileCheck, session: _Session) -> EditCheck | None:
    """Return the difference to what the session knows of the file, which it knows from now on; None for a trouble that
    it knows.
    """
    if check.problems is None:
        if (check.server, check.trouble) in session.troubles:
            return None
        session.troubles.add((check.server, check.trouble))
        return EditCheck(check.path, check.server, trouble=check.trouble)
    before, session.known[check.path] = session.known.get(check.path, ()), check.problems
    return compared(check, before)
