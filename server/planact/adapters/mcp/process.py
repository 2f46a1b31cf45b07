"""A server that is a program or at an address, as the SDK's streams in bounded memory.

A program ends with all its processes: the SDK's own transport reads lines of any length and knows its process group
alone. Servers stay in planact's session, so that no clean-up takes them for leftovers of a command. The HTTP client
speaks with the server's origin alone, and reads a limited amount.
"""

import asyncio
import codecs
import contextlib
import json
import os
import re
import secrets
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import psutil
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from planact.adapters.mcp.fit_results import no_result
from planact.adapters.mcp.launch import Launch
from planact.base.flood import LARGEST_MESSAGE, FloodError, Meter
from planact.base.text import ends_in_one_line

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]

_CHUNK = 65_536
_LAST_WORDS = 2_000
_LEAVE_SECONDS = 1.0  # after its input is closed, as the protocol has it
_TERM_SECONDS = 1.0
_LOOK_SECONDS = 0.02
# On Linux the kernel ends it with this process, however that ends. What it started is ended by the launch's watcher.
_TIED = (
    "import ctypes, os, sys\n"
    "ctypes.CDLL(None).prctl(1, 9)\n"
    "os.getppid() == int(sys.argv[1]) or os._exit(1)\n"
    "try: os.execv(sys.argv[2], sys.argv[3:])\n"
    "except OSError as error: sys.exit(str(error))"
)


class ServerProcess:
    """One run of a program. `trouble` says why it ended, or is empty."""

    def __init__(self, launch: Launch, token_variable: str) -> None:
        self._launch = launch
        self._token = secrets.token_hex(16)
        self._token_variable = token_variable
        self._environment = {**launch.environment, token_variable: self._token}
        self._meter = Meter()
        self._meter_of_errors = Meter()
        self._last_words = b""
        self._has_spoken = False
        self._has_flooded = False
        self.trouble = ""

    @contextlib.asynccontextmanager
    async def open(self, over: asyncio.Event) -> AsyncIterator[tuple[Incoming, Outgoing]]:
        """Start the program, yield its streams, and end it with all its processes; `over` is set when it ends by
        itself.

        Raises:
            McpFailure: MCP_COMMAND_REFUSED.
            OSError, ValueError: it can't be started.
        """
        program = self._launch.program()
        async with self._launch.folder() as folder:
            with self._launch.end_with_parent(self._token_variable, self._token) as tell_watcher:
                process = await asyncio.create_subprocess_exec(
                    *_ended_with_us(program, self._launch.argv),
                    cwd=folder,
                    env=self._environment,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                    process_group=None if sys.platform == "win32" else 0,
                )
                tell_watcher(process.pid)
                async with self._streams(process, over) as streams:
                    yield streams

    @contextlib.asynccontextmanager
    async def _streams(
        self, process: asyncio.subprocess.Process, over: asyncio.Event
    ) -> AsyncIterator[tuple[Incoming, Outgoing]]:
        into_session, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        outgoing, from_session = anyio.create_memory_object_stream[SessionMessage](0)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._read, process, into_session, over)
                tasks.start_soon(self._write, process, from_session)
                tasks.start_soon(self._listen, process, into_session, over)
                try:
                    yield incoming, outgoing
                finally:
                    with anyio.CancelScope(shield=True):
                        await self._end(process)
                    tasks.cancel_scope.cancel()
        finally:
            for stream in (into_session, incoming, outgoing, from_session):
                stream.close()
            self._kill(process)
            # Nothing public closes the pipes of a process whose output was not read to its end.
            with contextlib.suppress(PermissionError):
                process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001

    async def _read(
        self, process: asyncio.subprocess.Process, session: MemoryObjectSendStream[Any], over: asyncio.Event
    ) -> None:
        assert process.stdout is not None
        held = bytearray()
        try:
            async with session:
                while chunk := await process.stdout.read(_CHUNK):
                    *lines, rest = chunk.split(b"\n")
                    self._meter.count(len(chunk), len(lines), len(held))
                    for line in lines:
                        await _deliver(bytes(held) + line, session)
                        held.clear()
                    held += rest
                await _exited(process, _TERM_SECONDS)
                await _within(_TERM_SECONDS / 2, lambda: self._has_spoken)
                code = process.returncode
                words = ends_in_one_line(self._last_words.decode(errors="replace"), 300)
                end = "it closed its output" if code is None else f"it ended with code {code}"
                if not self._has_flooded:
                    self.trouble = f"{end}, and said: {words}" if words else end
        except FloodError as flood:
            self.trouble = str(flood)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # the session is over
        finally:
            over.set()

    async def _write(self, process: asyncio.subprocess.Process, session: MemoryObjectReceiveStream[Any]) -> None:
        assert process.stdin is not None
        try:
            async with session:
                async for message in session:
                    line = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                    process.stdin.write(line.encode() + b"\n")
                    await process.stdin.drain()
        except OSError:
            return  # it is gone, which reading tells

    async def _listen(
        self, process: asyncio.subprocess.Process, session: MemoryObjectSendStream[Any], over: asyncio.Event
    ) -> None:
        """Keep the end of its errors; a flood of them ends it, too."""
        assert process.stderr is not None
        try:
            while chunk := await process.stderr.read(_CHUNK):
                self._meter_of_errors.count(len(chunk), 0, 0)
                self._last_words = (self._last_words + chunk)[-_LAST_WORDS:]
        except FloodError as flood:
            self.trouble, self._has_flooded = str(flood), True
            session.close()
            over.set()
        self._has_spoken = True

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        """Close its input, then ask, then kill, and its descendants with it."""
        if process.stdin is not None:
            process.stdin.close()
        await _exited(process, _LEAVE_SECONDS)
        for left in self._left(process):
            with contextlib.suppress(psutil.Error):
                left.terminate()
        await _within(_TERM_SECONDS, lambda: not self._left(process))
        self._kill(process)
        await _exited(process, _TERM_SECONDS)

    def _kill(self, process: asyncio.subprocess.Process) -> None:
        for left in self._left(process):
            with contextlib.suppress(psutil.Error):
                left.kill()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if process.returncode is None:
                process.kill()

    def _left(self, process: asyncio.subprocess.Process) -> list[psutil.Process]:
        """Return the living processes of the server: its group, and all with its token."""
        found = []
        for each in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if each.status() != psutil.STATUS_ZOMBIE and self._belongs(each, process):
                    found.append(each)
        return found

    def _belongs(self, each: psutil.Process, process: asyncio.subprocess.Process) -> bool:
        if sys.platform != "win32" and os.getpgid(each.pid) == process.pid:
            return True
        return each.environ().get(self._token_variable) == self._token


async def _deliver(line: bytes, session: MemoryObjectSendStream[Any]) -> None:
    """Hand one message to the session; other output, such as a greeting on the wrong stream, is dropped. An answer that
    can't be read ends the wait for it.
    """
    if not line.strip():
        return
    for read in (bytes, _with_whole_characters):
        with contextlib.suppress(ValueError, RecursionError):
            message = jsonrpc_message_adapter.validate_json(read(line), by_name=False)
            await session.send(SessionMessage(message))
            return
    with contextlib.suppress(ValueError, RecursionError):
        message = json.loads(line.decode(errors="replace"))
        if isinstance(message, dict) and isinstance(message.get("id"), int | str) and "method" not in message:
            await session.send(no_result(message["id"]))


def _with_whole_characters(line: bytes) -> str:
    """Return JSON with U+FFFD for what is no character: half of one is left where a server cuts a text by length."""
    text = json.dumps(json.loads(line.decode(errors="replace")), ensure_ascii=False)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


async def _exited(process: asyncio.subprocess.Process, seconds: float) -> None:
    # Not `wait()`: that also waits for pipes, which a descendant may hold open.
    await _within(seconds, lambda: process.returncode is not None)


async def _within(seconds: float, is_so: Callable[[], bool]) -> None:
    for _ in range(int(seconds / _LOOK_SECONDS)):
        if is_so():
            return
        await asyncio.sleep(_LOOK_SECONDS)


def _ended_with_us(program: str, argv: Sequence[str]) -> list[str]:
    if sys.platform == "linux" and sys.executable:
        return [sys.executable, "-I", "-S", "-c", _TIED, str(os.getpid()), program, *argv]
    return [program, *argv[1:]]


_CONNECT_SECONDS = 15.0
_LINES_OF_EVENT = 4  # its kind, number and data, and a blank line
_REQUEST_WEIGHT = 10  # messages that a request costs as much work as
_STREAM_WEIGHT = 50
"""As `_REQUEST_WEIGHT`, of requests that open a stream. The SDK opens one that ended again within the former, which
must not become a stack without end.
"""


class HttpServer:
    """`trouble` is the last failure of the transport, or empty."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._url = url
        # Packed, a little could become a lot.
        self._headers = {**headers, "accept-encoding": "identity"}
        self.trouble = ""

    def count(self, meter: Meter, size: int, messages: int, message_size: int = 0) -> None:
        """Count data of the server, as `Meter.count` does.

        Raises:
            httpx2.ReadError: it sent too much, which `trouble` says, too.
        """
        try:
            meter.count(size, messages, message_size)
        except FloodError as flood:
            self.trouble = str(flood)
            raise httpx2.ReadError(self.trouble) from None

    @asynccontextmanager
    async def open(self, over: asyncio.Event) -> AsyncIterator[tuple[Any, Any]]:  # noqa: ARG002  it has no end of its own
        """Yield the streams of a session. Redirects to other origins aren't followed."""
        transport = _OneOrigin(httpx2.URL(self._url), self)
        timeout = httpx2.Timeout(None, connect=_CONNECT_SECONDS)  # the caller bounds the wait
        async with (
            httpx2.AsyncClient(transport=transport, headers=self._headers, timeout=timeout) as client,
            streamable_http_client(self._url, http_client=client, max_sse_event_size=LARGEST_MESSAGE) as streams,
        ):
            yield streams


class _OneOrigin(httpx2.AsyncBaseTransport):
    def __init__(self, url: httpx2.URL, server: HttpServer) -> None:
        self._origin = (url.scheme, url.host, url.port)
        self._server = server
        self._meter = Meter()
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if (request.url.scheme, request.url.host, request.url.port) != self._origin:
            raise httpx2.UnsupportedProtocol("a redirect to another origin is not followed")
        # Servers have requests made: by a stream that ends and is to be opened again at once, or by their own requests.
        self._server.count(self._meter, 0, _STREAM_WEIGHT if request.method == "GET" else _REQUEST_WEIGHT)
        response = await self._inner.handle_async_request(request)
        if response.is_redirect:
            self._server.trouble = "it redirects to another address"
        elif response.status_code >= 400:
            self._server.trouble = f"it answers with HTTP {response.status_code}"
        elif response.headers.get("content-encoding", "identity") != "identity":
            self._server.trouble = "it packs its answers, unasked"
            await response.aclose()
            raise httpx2.DecodingError(self._server.trouble)
        is_endless = response.headers.get("content-type", "").startswith(
            "text/event-stream"
        )  # the SDK bounds its events
        stream = _Metered(response.stream, self._meter, self._server, is_endless=is_endless)
        return httpx2.Response(
            response.status_code, headers=response.headers, stream=stream, extensions=response.extensions
        )

    async def aclose(self) -> None:
        await self._inner.aclose()


_ESCAPES = re.compile(
    r"(?P<cut>\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?)?\Z)"
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    r"|\\.",
    re.DOTALL,
)
"""Escapes in JSON: `half` of a character, one that the end of a portion may have `cut`, and all others."""


class _WholeCharacters:
    """JSON in portions, with U+FFFD for what is no character, as `_with_whole_characters` does with a line."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._cut = ""

    def feed(self, portion: bytes, *, is_last: bool = False) -> bytes:
        """Return the bytes of the portions so far that are certain and were not returned before."""
        text = self._cut + self._decoder.decode(portion, is_last)
        self._cut = ""
        return _ESCAPES.sub(lambda found: self._mended(found, is_last=is_last), text).encode()

    def _mended(self, found: re.Match[str], *, is_last: bool) -> str:
        if found["cut"] and not is_last:
            self._cut = found["cut"]
            return ""
        return "\\ufffd" if found["half"] else found[0]


class _Metered(httpx2.AsyncByteStream):
    def __init__(self, inner: Any, meter: Meter, server: HttpServer, *, is_endless: bool) -> None:
        self._inner = inner
        self._meter = meter
        self._server = server
        self._is_endless = is_endless
        self._whole = _WholeCharacters()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._inner:
            size += len(chunk)
            if self._is_endless:
                lines = chunk.count(b"\n") + chunk.count(b"\r")
                self._server.count(self._meter, len(chunk), max(chunk.count(b"data:"), lines // _LINES_OF_EVENT))
            else:
                self._server.count(self._meter, len(chunk), 0, size)
            yield self._whole.feed(chunk)
        yield self._whole.feed(b"", is_last=True)

    async def aclose(self) -> None:
        await self._inner.aclose()
