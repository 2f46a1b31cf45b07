"""The connection over the two pipes, from its first byte to the end of the process, and the server that it serves.

Importing this takes the time of all imports but litellm's. A daemon thread reads, so that end of file is noticed even
while the event loop is blocked, and the thread keeps no process alive.
"""

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from lsprotocol import types

from planact.base.errors import InvalidInput
from planact.base.home import home_of
from planact.lsp.commands import LSP_COMMANDS
from planact.lsp.features import FEATURES
from planact.lsp.host.workspace_host import Host
from planact.lsp.server import PlanactServer
from planact.lsp.wire.initialize_reply import advertised, send_early
from planact.lsp.wire.patches import GRACE
from planact.workflows.run_end import EDITOR_CLOSED

log = logging.getLogger(__name__)

_PARENT_CHECK = 2.0


def serve_connection(
    server: PlanactServer, bodies: Iterator[bytes], sink: BinaryIO, initialize: Mapping[str, Any] | None = None
) -> NoReturn:
    """Serve the client until it shuts down or is gone, then end the process.

    `initialize` is the client's request if it was answered already (`wire.initialize_reply`).

    Exit code 0 after `shutdown` and `exit`, else 1. Running work is cancelled and has a few seconds to clean up. Then
    the process ends at once, even while a thread still imports a module or reads a pipe.
    """
    code = asyncio.new_event_loop().run_until_complete(_converse(server, bodies, sink, initialize))
    logging.shutdown()
    sys.stderr.flush()
    os._exit(code)


async def _converse(
    server: PlanactServer, bodies: Iterator[bytes], sink: BinaryIO, initialize: Mapping[str, Any] | None
) -> int:
    loop = asyncio.get_running_loop()
    over: asyncio.Future[int] = loop.create_future()

    def end(code: int) -> None:
        if not over.done():
            over.set_result(code)

    server.protocol.on_end = end
    server.protocol.set_writer(_Writer(sink))
    _end_on_signals(loop, end)
    if initialize is not None:
        server.protocol.begin(initialize)

    def read() -> None:
        for body in bodies:
            loop.call_soon_threadsafe(server.protocol.receive, body)
        loop.call_soon_threadsafe(end, 1)

    threading.Thread(target=read, name="client", daemon=True).start()
    watch = asyncio.create_task(_end_with_parent(server, end))
    code = await over
    watch.cancel()
    await server.stop()
    await _cancel_the_rest()
    return code


class _Writer:
    """Writes whole messages, flushed."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink

    def write(self, data: bytes) -> None:
        self._sink.write(data)
        self._sink.flush()

    def close(self) -> None:
        self._sink.close()


def _end_on_signals(loop: asyncio.AbstractEventLoop, end: Callable[[int], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, end, 1)
        except NotImplementedError:
            # Windows ends the process at once, as it does with all others.
            return


async def _end_with_parent(server: PlanactServer, end: Callable[[int], None]) -> None:
    """End when the parent process does: a dead client may leave its end of the pipe to another process, and then end of
    file never comes.

    Only a client that started this process itself is watched: behind a wrapper or in a container its id may mean
    another.
    """
    parent = os.getppid()
    while server.process_id in (None, parent):
        if server.process_id == parent != os.getppid():
            end(1)
            return
        await asyncio.sleep(_PARENT_CHECK)


async def _cancel_the_rest() -> None:
    """Cancel tasks that no request owns, and wait up to `GRACE` seconds for their clean-up."""
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel(EDITOR_CLOSED)
    if rest:
        await asyncio.wait(rest, timeout=GRACE)


def create_server() -> PlanactServer:
    """Return a server that lacks only its `app` and `advertised`."""
    server = PlanactServer()
    for register in FEATURES:
        register(server)
    for command in LSP_COMMANDS:
        server.command(command.name, waits=command.waits)(command.handler)
    return server


def run_server(
    bodies: Iterator[bytes], sink: BinaryIO, initialize: Mapping[str, Any] | None, environment: Mapping[str, str]
) -> NoReturn:
    """Serve the client until it is gone; `initialize` is its request if that was answered already."""
    server = create_server()
    server.advertised = advertised()
    server.app = host = Host(server, environment, _home_or_end(environment, sink), {})
    host.app.secrets.log_to(sys.stderr, logging.WARNING, "%(levelname)s %(name)s: %(message)s")
    gc.freeze()
    gc.enable()
    sys.setswitchinterval(0.001)  # an answer waits for other threads, such as the one that loads litellm, several times
    serve_connection(server, bodies, sink, initialize)


def _home_or_end(environment: Mapping[str, str], sink: BinaryIO) -> Path:
    """Return the user's home folder; where there is none, show the user why the server ends."""
    try:
        return home_of(environment)
    except InvalidInput as error:
        told = f"planact can't start: {error}"
        params = {"type": types.MessageType.Error.value, "message": told}
        send_early(sink, {"jsonrpc": "2.0", "method": types.WINDOW_SHOW_MESSAGE, "params": params})
        sys.exit(told)
