"""A small client for one running language server, on raw JSON: it opens texts, waits for the problems that the server
finds, and asks it.

All that a server says is hostile: it is bounded, and nothing that it asks for is done.
"""

import asyncio
import contextlib
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from planact.adapters.language_servers.capabilities import CAPABILITIES
from planact.adapters.language_servers.open_document import OpenDocument, rest_of
from planact.adapters.language_servers.problems import diagnostics_in, problem_of
from planact.adapters.language_servers.reports import ask_report, hands_on_questions
from planact.adapters.language_servers.requests_of_server import answer_request, asks_for_pulls
from planact.adapters.language_servers.server import KnownServer
from planact.adapters.language_servers.texts_on_disk import texts_on_disk
from planact.adapters.language_servers.wire import BrokenWire, MessageReader, framed
from planact.base.flood import FloodError
from planact.base.positions import CODECS, Encoding
from planact.base.text import ends_in_one_line, one_line
from planact.model.file import EditorProblem
from planact.ports import Program

_START_SECONDS = 45.0
_REQUEST_SECONDS = 30.0
_PROJECT_SECONDS = 45.0
_RETRY_SECONDS = 0.3
_WRITE_SECONDS = 10.0
_MOST_UNREAD = 1_000  # messages
_MOST_TOKENS = 1_000
_TRY_AGAIN = {-32801, -32802}  # the text was modified meanwhile; the server cancelled

FileEvent = Literal[1, 2, 3]
MADE: FileEvent = 1
CHANGED: FileEvent = 2
REMOVED: FileEvent = 3


class ServerFailure(Exception):
    """The server is of no use; the message says why."""


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
        self._documents: dict[str, OpenDocument] = {}
        self._versions = 0
        self._pulls = False
        self._asks_tsserver = False
        self._progress: set[str] = set()
        self._troubles: dict[str, str] = {}
        self._is_ready = not server.ready
        self._has_read_project = not server.project_read
        self._something_new = asyncio.Event()
        self._outgoing: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue(_MOST_UNREAD)
        self._tasks = [asyncio.ensure_future(self._read()), asyncio.ensure_future(self._write())]
        self.failure = ""
        self.encoding: Encoding = "utf-16"

    async def initialize(self) -> None:
        """Greet the server. Raises ServerFailure."""
        folder = {"uri": self._root.as_uri(), "name": self._root.name}
        params = {
            "processId": None,
            "clientInfo": {"name": "planact", "version": self._version},
            "rootUri": folder["uri"],
            "rootPath": str(self._root),
            "workspaceFolders": [folder],
            "capabilities": CAPABILITIES,
            "initializationOptions": self._server.options,
        }
        try:
            answer = await self.request("initialize", params, _START_SECONDS)
        except RequestRefused as refused:
            raise self._failed(f"it refuses to start: {refused}") from None
        capabilities = answer.get("capabilities") if isinstance(answer, Mapping) else None
        if not isinstance(capabilities, Mapping):
            raise self._failed("it doesn't answer as a language server does")
        self._asks_tsserver = hands_on_questions(capabilities)
        self._pulls = self._asks_tsserver or isinstance(capabilities.get("diagnosticProvider"), Mapping)
        counted = capabilities.get("positionEncoding", "utf-16")
        encoding = next((each for each in CODECS if each == counted), None)
        if encoding is None:
            raise self._failed("it counts positions in a way that nobody knows")
        self.encoding = encoding
        self._notify("initialized", {})
        self._notify("workspace/didChangeConfiguration", {"settings": self._server.settings})

    async def check(self, path: str, text: str) -> tuple[EditorProblem, ...]:
        """Return the problems of the file with this text, by a path relative to the workspace.

        Raises:
            ServerFailure. RequestRefused: it can't read the project now.
        """
        document = self._show(path, text)
        while not self._is_ready or (rest := rest_of(document)) != 0:
            if self._is_ready and self._pulls:  # a server may say so only once it runs
                await self._pull(document)
                break
            await self._wait_for_news(rest if self._is_ready else None)
        if self._troubles:
            raise RequestRefused(0, f"it can't read the project: {next(iter(self._troubles.values()))}")
        return tuple(problem_of(path, item) for item in document.diagnostics)

    async def show_only(self, texts: Mapping[str, str]) -> None:
        """Have the server go by these texts, and by the disk for all other files, once it knows the project.

        Raises:
            ServerFailure. RequestRefused: it takes too long for that.
        """
        # Files stay open: pyright renames in one file alone what was just closed and opened again.
        others = await asyncio.to_thread(texts_on_disk, self._root, self._documents.keys() - texts.keys())
        for path, text in {**others, **texts}.items():
            if text is None:
                self._close(path)
            elif Path(path).suffix in self._server.files:
                self._show(path, text)
        until = monotonic() + _PROJECT_SECONDS
        while not (self._is_ready and self._has_read_project):
            if (rest := until - monotonic()) <= 0:
                raise RequestRefused(0, "it is still reading the project")
            await self._wait_for_news(rest)

    def diagnostics(self, path: str) -> Sequence[Mapping[str, Any]]:
        """Return the latest diagnostics of an open file, as the server sent them."""
        document = self._documents.get(path)
        return document.diagnostics if document is not None else ()

    def version(self, path: str) -> int | None:
        """Return the version of an open file; None for another."""
        document = self._documents.get(path)
        return document.version if document is not None else None

    def files_changed(self, changed: Mapping[str, FileEvent]) -> None:
        """Tell of files on disk by path. Raises ServerFailure."""
        changes = [{"uri": self.uri(path), "type": kind} for path, kind in changed.items()]
        self._notify("workspace/didChangeWatchedFiles", {"changes": changes})
        for path, kind in changed.items():
            if kind == REMOVED:
                self._close(path)

    async def close(self) -> None:
        """Stop reading; the program itself is ended by its owner."""
        self._fail("it was ended")
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)

    # --- what we say

    def _show(self, path: str, text: str) -> OpenDocument:
        document = self._documents.get(path)
        if document is None:
            document = self._documents[path] = OpenDocument(self.uri(path), text, self._next_version())
            language = self._server.files.get(Path(path).suffix, "plaintext")
            item = {"uri": document.uri, "languageId": language, "version": document.version, "text": text}
            self._notify("textDocument/didOpen", {"textDocument": item})
        elif document.text != text:
            document.text, document.version, document.heard = text, self._next_version(), 0.0
            identity = {"uri": document.uri, "version": document.version}
            self._notify("textDocument/didChange", {"textDocument": identity, "contentChanges": [{"text": text}]})
            self._notify("textDocument/didSave", {"textDocument": {"uri": document.uri}})
        return document

    def _next_version(self) -> int:
        """Return a number that no text had yet: what is said of a file before it was closed is of no later text."""
        self._versions += 1
        return self._versions

    def _close(self, path: str) -> None:
        if (document := self._documents.pop(path, None)) is not None:
            self._notify("textDocument/didClose", {"textDocument": {"uri": document.uri}})

    async def _pull(self, document: OpenDocument) -> None:
        while True:
            try:
                report = await ask_report(self.request, document.uri, of_tsserver=self._asks_tsserver)
            except RequestRefused as refused:
                if refused.code not in _TRY_AGAIN:
                    raise self._failed(f"it refuses to tell: {refused}") from None
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            if not isinstance(report, Mapping) or not isinstance(report.get("items"), list):
                raise self._failed("it told its diagnostics in a form that nobody knows")
            document.diagnostics = diagnostics_in(report["items"])
            return

    def uri(self, path: str) -> str:
        """Return the URI of a file of the workspace."""
        return (self._root / path).as_uri()

    async def request(self, method: str, params: Any, seconds: float = _REQUEST_SECONDS) -> Any:
        """Return the result of a request. Raises ServerFailure, RequestRefused."""
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
            words = ends_in_one_line(self._program.last_words.strip(), 300)
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
            self._pulls = self._pulls or asks_for_pulls(method, params)
            known, result = answer_request(self._server, self._root, method, params)
            error = {"error": {"code": -32601, "message": "planact does no such thing"}}
            self._send({"id": number, **({"result": result} if known else error)})
        elif isinstance(params, Mapping):
            self._hear(method, params)
        self._something_new.set()

    def _hear(self, method: str, params: Mapping[str, Any]) -> None:
        match method:
            case "textDocument/publishDiagnostics":
                self._hear_problems(params)
            case "$/progress":
                self._hear_progress(str(params.get("token"))[:100], params.get("value"))
            case "window/logMessage":
                told = params.get("message")
                is_it = isinstance(told, str) and re.match(self._server.project_read, told) is not None
                self._has_read_project = self._has_read_project or is_it
            case "experimental/serverStatus":
                self._become_ready(is_so=params.get("quiescent") is True)

    def _hear_problems(self, params: Mapping[str, Any]) -> None:
        path, items, version = self.path(params.get("uri")), params.get("diagnostics"), params.get("version")
        document = self._documents.get(path)
        if document is None or not isinstance(items, list) or self._asks_tsserver:
            return
        if isinstance(version, int) and version != document.version:
            return  # of an earlier text
        document.said = version if isinstance(version, int) else None
        document.heard = monotonic()
        document.diagnostics = diagnostics_in(items)

    def _hear_progress(self, token: str, value: Any) -> None:
        kind = value.get("kind") if isinstance(value, Mapping) else None
        if kind == "begin" and len(self._progress) < _MOST_TOKENS:
            self._progress.add(token)
            if self._server.broken and value.get("title") == self._server.broken:
                self._troubles[token] = one_line(str(value.get("message", "")), 300)
        elif kind == "end" and token in self._progress:
            self._progress.discard(token)
            self._troubles.pop(token, None)
            self._become_ready(is_so=self._server.ready == "progress" and not self._progress)

    def _become_ready(self, *, is_so: bool) -> None:
        if is_so and not self._is_ready:
            self._is_ready = True
            for document in self._documents.values():  # what it said of them before counts from now on at most
                document.heard = document.heard and monotonic()

    def path(self, uri: Any) -> str:
        """Return the path of a `file:` URI: relative to the workspace where it lies there, else absolute. Empty for
        another URI. Servers may write the same one differently.
        """
        with contextlib.suppress(ValueError):
            split = urlsplit(uri) if isinstance(uri, str) else None
            if split is not None and split.scheme == "file" and split.path.startswith("/"):
                path = Path(os.path.normpath(unquote(split.path)))
                return path.relative_to(self._root).as_posix() if path.is_relative_to(self._root) else str(path)
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


class RequestRefused(Exception):
    """The server answers a request with an error."""

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
    answer.set_exception(RequestRefused(code if isinstance(code, int) else 0, words))
