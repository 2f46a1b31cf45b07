"""planact in forks of a process that has loaded it once, which saves each start a second of the processor.

The forks are the real program, with pipes or a terminal, a folder and an environment of their own. How it is loaded is
tested by the command itself, as in `tests/lsp/test_serve.py` and by all that use `tests.cli.program.Program.start`.
"""

import asyncio
import atexit
import contextlib
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
ZYGOTE = "tests.lsp.server_zygote"

_one_at_a_time = threading.Lock()


class ForkedServer:
    """What `asyncio.subprocess.Process` is to a client, for a process that another one has started."""

    def __init__(self, pid: int, stdin: asyncio.StreamWriter, outputs: Sequence["_Output"]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdin = stdin
        self.stdout, self.stderr, self._ended = (output.reader for output in outputs)
        self._outputs = outputs
        self._end = asyncio.ensure_future(self._read_end())

    async def wait(self) -> int:
        return await asyncio.shield(self._end)

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def close(self) -> None:
        """Let go of the pipes, which processes that the server started may hold for long."""
        self.stdin.close()
        for output in self._outputs:
            output.transport.close()

    async def _read_end(self) -> int:
        self.returncode = int(await self._ended.read())
        return self.returncode


class _Output(asyncio.StreamReaderProtocol):
    def __init__(self) -> None:
        self.reader = asyncio.StreamReader()
        super().__init__(self.reader)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport = transport


async def start_forked(*words: str, with_litellm: bool) -> ForkedServer:
    """Start `planact` with these words, in this folder and environment, where litellm is loaded already or isn't."""
    loop = asyncio.get_running_loop()
    stdin, into = os.pipe()
    pipes = [os.pipe() for _ in range(3)]
    given = [stdin, *(write for _, write in pipes)]
    try:
        order = {"words": words, "folder": str(Path.cwd()), "environment": dict(os.environ)}
        pid = _order(order, given, with_litellm=with_litellm)
    finally:
        for descriptor in given:
            os.close(descriptor)
    outputs = []
    for read, _ in pipes:
        _, output = await loop.connect_read_pipe(_Output, os.fdopen(read, "rb", buffering=0))
        outputs.append(output)
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(into, "wb", buffering=0)
    )
    return ForkedServer(pid, asyncio.StreamWriter(transport, protocol, None, loop), outputs)


class ForkedProgram:
    """What `subprocess.Popen` is to a test. `streams` are the descriptors of its input, output and errors; a terminal,
    which all three are, becomes its own where `is_at_terminal`.
    """

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        streams: Sequence[int],
        *,
        with_litellm: bool,
        is_at_terminal: bool = False,
    ) -> None:
        order = {"words": words, "folder": str(folder), "environment": dict(environment), "terminal": is_at_terminal}
        self._ended, told = os.pipe()
        try:
            self.pid = _order(order, (*streams, told), with_litellm=with_litellm)
        finally:
            os.close(told)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        return self._read_end(0)

    def wait(self, timeout: float) -> int:
        code = self._read_end(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("planact", timeout)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _read_end(self, timeout: float) -> int | None:
        if self.returncode is None and select.select([self._ended], [], [], timeout)[0]:
            self.returncode = int(os.read(self._ended, 100))
            os.close(self._ended)
        return self.returncode


def _order(order: Mapping[str, object], descriptors: Sequence[int], *, with_litellm: bool) -> int:
    body = json.dumps(order).encode()
    with _one_at_a_time:
        orders = zygote(with_litellm)
        socket.send_fds(orders, [len(body).to_bytes(4)], descriptors)
        orders.sendall(body)
        return int.from_bytes(orders.recv(4, socket.MSG_WAITALL))


@functools.cache
def zygote(with_litellm: bool) -> socket.socket:
    """The socket to the process, which ends when that is closed. Forks of this process can use it, one at a time."""
    ours, its = socket.socketpair()
    with its:
        program = [sys.executable, "-m", ZYGOTE, str(its.fileno()), *(["litellm"] if with_litellm else [])]
        process = subprocess.Popen(program, pass_fds=[its.fileno()], cwd=ROOT)

    def close() -> None:
        ours.close()
        process.wait(180)

    atexit.register(close)
    return ours
