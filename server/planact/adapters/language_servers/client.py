"""A small client for one running language server, on raw JSON: it opens texts and waits for the problems that it finds.

All that a server says is hostile: it is bounded, and nothing that it asks for is done.
"""

import asyncio
import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from planact.adapters.language_servers.server import KnownServer
from planact.adapters.language_servers.wire import BrokenWire, MessageReader, framed
from planact.base.flood import FloodError
from planact.base.text import one_line
from planact.model.file import EditorProblem, ProblemSeverity
from planact.ports import Program

_START_SECONDS = 45.0
_REQUEST_SECONDS = 30.0
_RETRY_SECONDS = 0.3
_WRITE_SECONDS = 10.0
_MOST_UNREAD = 1_000  # messages
_MOST_PROBLEMS = 500  # of a file
_LONGEST = 2_000  # characters of a message
_MOST_TOKENS = 1_000
_SEVERITIES: Sequence[ProblemSeverity] = ("error", "warning", "information", "hint")
_TRY_AGAIN = {-32801, -32802}  # the text was modified meanwhile; the server cancelled

FileEvent = Literal[1, 2, 3]
MADE: FileEvent = 1
CHANGED: FileEvent = 2
REMOVED: FileEvent = 3

QUIET_SECONDS = 1.0
"""A server that names no versions has said all of a text when it has said nothing more for so long: the first word of
some is about the syntax alone."""

_CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "synchronization": {"dynamicRegistration": False},
        "publishDiagnostics": {"versionSupport": True, "codeDescriptionSupport": False},
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": False},
    },
    "window": {"workDoneProgress": True},
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "applyEdit": False,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "diagnostics": {"refreshSupport": True},
    },
    "experimental": {"serverStatusNotification": True},
}


class ServerFailure(Exception):
    """The server is of no use; the message says why."""


@dataclass(slots=True)
class _Document:
    """An open text. `said` is the number of the version that the server spoke of last, or None for one that names none;
    `heard` is the moment of that, 0 = it said nothing since the text changed.
    """

    uri: str
    text: str
    version: int = 1
    said: int | None = None
    heard: float = 0.0
    problems: tuple[EditorProblem, ...] = ()


class LanguageClient:
    """A server that runs as `program` in the workspace folder `root`."""

    def __init__(self, program: Program, server: KnownServer, root: Path, version: str) -> None:
        self._program = program
        self._server = server
        self._root = root
        self._version = version
        self._reader = MessageReader()
        self._ids = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._documents: dict[str, _Document] = {}
        self._pulls = False
        self._progress: set[str] = set()
        self._is_ready = not server.ready
        self._something_new = asyncio.Event()
        self._outgoing: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue(_MOST_UNREAD)
        self._tasks = [asyncio.ensure_future(self._read()), asyncio.ensure_future(self._write())]
        self.failure = ""

    async def initialize(self) -> None:
        """Greet the server. Raises ServerFailure."""
        folder = {"uri": self._root.as_uri(), "name": self._root.name}
        params = {
            "processId": None,
            "clientInfo": {"name": "planact", "version": self._version},
            "rootUri": folder["uri"],
            "rootPath": str(self._root),
            "workspaceFolders": [folder],
            "capabilities": _CAPABILITIES,
            "initializationOptions": self._server.options,
        }
        try:
            answer = await self._request("initialize", params, _START_SECONDS)
        except _RequestRefused as refused:
            raise self._failed(f"it refuses to start: {refused}") from None
        capabilities = answer.get("capabilities") if isinstance(answer, Mapping) else None
        if not isinstance(capabilities, Mapping):
            raise self._failed("it doesn't answer as a language server does")
        self._pulls = isinstance(capabilities.get("diagnosticProvider"), Mapping)
        self._notify("initialized", {})
        self._notify("workspace/didChangeConfiguration", {"settings": self._server.settings})

    async def check(self, path: str, text: str) -> tuple[EditorProblem, ...]:
        """Return the problems of the file with this text, by a path relative to the workspace. Raises ServerFailure."""
        document = self._show(path, text)
        while not self._is_ready or (rest := _rest(document)) != 0:
            if self._is_ready and self._pulls:  # a server may say so only once it runs
                return await self._pull(path, document)
            await self._wait_for_news(rest if self._is_ready else None)
        return document.problems

    def files_changed(self, changed: Mapping[str, FileEvent]) -> None:
        """Tell of files on disk by path. Raises ServerFailure."""
        changes = [{"uri": self._uri(path), "type": kind} for path, kind in changed.items()]
        self._notify("workspace/didChangeWatchedFiles", {"changes": changes})
        for path, kind in changed.items():
            if kind == REMOVED and (document := self._documents.pop(path, None)) is not None:
                self._notify("textDocument/didClose", {"textDocument": {"uri": document.uri}})

    async def close(self) -> None:
        """Stop reading; the program itself is ended by its owner."""
        self._fail("it was ended")
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)

    # --- what we say

    def _show(self, path: str, text: str) -> _Document:
        document = self._documents.get(path)
        if document is None:
            document = self._documents[path] = _Document(self._uri(path), text)
            language = self._server.files.get(Path(path).suffix, "plaintext")
            item = {"uri": document.uri, "languageId": language, "version": 1, "text": text}
            self._notify("textDocument/didOpen", {"textDocument": item})
        elif document.text != text:
            document.text, document.version, document.heard = text, document.version + 1, 0.0
            identity = {"uri": document.uri, "version": document.version}
            self._notify("textDocument/didChange", {"textDocument": identity, "contentChanges": [{"text": text}]})
            self._notify("textDocument/didSave", {"textDocument": {"uri": document.uri}})
        return document

    async def _pull(self, path: str, document: _Document) -> tuple[EditorProblem, ...]:
        while True:
            try:
                params = {"textDocument": {"uri": document.uri}}
                report = await self._request("textDocument/diagnostic", params, _REQUEST_SECONDS)
            except _RequestRefused as refused:
                if refused.code not in _TRY_AGAIN:
                    raise self._failed(f"it refuses to tell: {refused}") from None
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            if not isinstance(report, Mapping) or not isinstance(report.get("items"), list):
                raise self._failed("it told its diagnostics in a form that nobody knows")
            document.problems = _problems_of(path, report["items"])
            return document.problems

    def _uri(self, path: str) -> str:
        return (self._root / path).as_uri()

    async def _request(self, method: str, params: Any, seconds: float) -> Any:
        self._ids += 1
        number, answer = self._ids, asyncio.get_running_loop().create_future()
        if self.failure:
            raise ServerFailure(self.failure)
        self._waiting[number] = answer
        try:
            self._send({"id": number, "method": method, "params": params})
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            raise self._failed(f"it gave no answer to {method} within {seconds:g} s") from None
        finally:
            self._waiting.pop(number, None)
            answer.cancel()

    def _notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: Mapping[str, Any]) -> None:
        if self.failure:
            raise ServerFailure(self.failure)
        try:
            self._outgoing.put_nowait(message)
        except asyncio.QueueFull:
            raise self._failed("it doesn't read what it is told") from None

    async def _write(self) -> None:
        try:
            while True:
                message = await self._outgoing.get()
                async with asyncio.timeout(_WRITE_SECONDS):
                    await self._program.write(framed(message))
        except TimeoutError:
            self._fail("it doesn't read what it is told")
        except (OSError, RuntimeError):
            await asyncio.sleep(_RETRY_SECONDS)  # reading tells more
            self._fail("it is gone")

    # --- what it says

    async def _read(self) -> None:
        try:
            while data := await self._program.read():
                for message in self._reader.feed(data):
                    self._take(message)
            await asyncio.sleep(_RETRY_SECONDS)  # its last words may be on their way
            words = one_line(self._program.last_words.strip(), 300)
            self._fail(f"it ended, and said: {words}" if words else "it ended")
        except (BrokenWire, FloodError) as broken:
            self._fail(str(broken))
        except ServerFailure:
            pass  # which told the reason
        except OSError as error:
            self._fail(str(error))

    def _take(self, message: Mapping[str, Any]) -> None:
        method, number, params = message.get("method"), message.get("id"), message.get("params")
        if not isinstance(method, str):
            if isinstance(number, int) and (answer := self._waiting.pop(number, None)) is not None:
                _answered(answer, message)
            return
        if isinstance(number, int | str):
            known, result = self._answer(method, params)
            error = {"error": {"code": -32601, "message": "planact does no such thing"}}
            self._send({"id": number, **({"result": result} if known else error)})
        elif isinstance(params, Mapping):
            self._hear(method, params)
        self._something_new.set()

    def _answer(self, method: str, params: Any) -> tuple[bool, Any]:
        """Return whether a request is known, and the answer to it."""
        params = params if isinstance(params, Mapping) else {}
        match method:
            case "workspace/configuration":
                items = _maps(params.get("items"))
                sections = [item.get("section") for item in items]
                return True, [
                    self._server.setting(each if isinstance(each, str) else "", self._root) for each in sections
                ]
            case "workspace/workspaceFolders":
                return True, [{"uri": self._root.as_uri(), "name": self._root.name}]
            case "client/registerCapability":
                registered = [each.get("method") for each in _maps(params.get("registrations"))]
                self._pulls = self._pulls or "textDocument/diagnostic" in registered
                return True, None
            case "workspace/applyEdit":
                return True, {"applied": False, "failureReason": "planact makes no edits of a server's own"}
            case "window/showDocument":
                return True, {"success": False}
            case (
                "client/unregisterCapability"
                | "window/workDoneProgress/create"
                | "window/showMessageRequest"
                | "workspace/diagnostic/refresh"
            ):
                return True, None
            case _:
                return False, None

    def _hear(self, method: str, params: Mapping[str, Any]) -> None:
        match method:
            case "textDocument/publishDiagnostics":
                self._hear_problems(params)
            case "$/progress":
                self._hear_progress(str(params.get("token"))[:100], params.get("value"))
            case "experimental/serverStatus":
                self._become_ready(is_so=params.get("quiescent") is True)

    def _hear_problems(self, params: Mapping[str, Any]) -> None:
        path, items, version = self._path(params.get("uri")), params.get("diagnostics"), params.get("version")
        document = self._documents.get(path)
        if document is None or not isinstance(items, list):
            return
        if isinstance(version, int) and version != document.version:
            return  # of an earlier text
        document.said = version if isinstance(version, int) else None
        document.heard = monotonic()
        document.problems = _problems_of(path, items)

    def _hear_progress(self, token: str, value: Any) -> None:
        kind = value.get("kind") if isinstance(value, Mapping) else None
        if kind == "begin" and len(self._progress) < _MOST_TOKENS:
            self._progress.add(token)
        elif kind == "end" and token in self._progress:
            self._progress.discard(token)
            self._become_ready(is_so=self._server.ready == "progress" and not self._progress)

    def _become_ready(self, *, is_so: bool) -> None:
        if is_so and not self._is_ready:
            self._is_ready = True
            for document in self._documents.values():  # what it said of them before counts from now on at most
                document.heard = document.heard and monotonic()

    def _path(self, uri: Any) -> str:
        """Return the path of a URI relative to the workspace; empty for another. Servers may write it differently."""
        with contextlib.suppress(ValueError):
            split = urlsplit(uri) if isinstance(uri, str) else None
            if split is not None and split.scheme == "file":
                path = os.path.normpath(unquote(split.path))
                return Path(path).relative_to(self._root).as_posix()
        return ""

    async def _wait_for_news(self, seconds: float | None) -> None:
        if self.failure:
            raise ServerFailure(self.failure)
        self._something_new.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._something_new.wait(), seconds)
        if self.failure:
            raise ServerFailure(self.failure)

    def _failed(self, reason: str) -> ServerFailure:
        self._fail(reason)
        return ServerFailure(self.failure)

    def _fail(self, reason: str) -> None:
        self.failure = self.failure or reason
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(ServerFailure(self.failure))
        self._something_new.set()


class _RequestRefused(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def _answered(answer: "asyncio.Future[Any]", message: Mapping[str, Any]) -> None:
    if answer.done():
        return
    error = message.get("error")
    if not isinstance(error, Mapping):
        answer.set_result(message.get("result"))
        return
    code = error.get("code")
    words = one_line(str(error.get("message", "")), 300)
    answer.set_exception(_RequestRefused(code if isinstance(code, int) else 0, words))


def _rest(document: _Document) -> float | None:
    """Return the seconds until what the server said of the text counts as all of it; None = it said nothing yet."""
    if not document.heard:
        return None
    if document.said is not None:
        return 0
    return max(0.0, document.heard + QUIET_SECONDS - monotonic())


def _maps(value: Any) -> Sequence[Mapping[str, Any]]:
    return [each for each in value[:100] if isinstance(each, Mapping)] if isinstance(value, list) else []


def _problems_of(path: str, items: Sequence[Any]) -> tuple[EditorProblem, ...]:
    return tuple(_problem_of(path, item) for item in items[:_MOST_PROBLEMS] if isinstance(item, Mapping))


def _problem_of(path: str, item: Mapping[str, Any]) -> EditorProblem:
    severity, code, source = item.get("severity"), item.get("code"), item.get("source")
    place: Any = item
    for name in ("range", "start", "line"):
        place = place.get(name) if isinstance(place, Mapping) else None
    return EditorProblem(
        path,
        place + 1 if isinstance(place, int) and place >= 0 else 1,
        _SEVERITIES[severity - 1] if isinstance(severity, int) and 1 <= severity <= len(_SEVERITIES) else "error",
        str(item.get("message", ""))[:_LONGEST],
        source[:_LONGEST] if isinstance(source, str) else "",
        str(code)[:_LONGEST] if isinstance(code, int | str) else "",
    )
