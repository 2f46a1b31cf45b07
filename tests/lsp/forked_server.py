"""The language server in forks of a process that has loaded it once, which saves each start a second of the processor.

The forks are the real server, with pipes, a folder and an environment of their own. How it is loaded is tested by the
command itself, as in `tests/lsp/test_serve.py` and by all that use `tests.lsp.raw_client`.
"""

import asyncio
import atexit
import contextlib
import functools
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
ZYGOTE = "tests.lsp.server_zygote"


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
        pid = _order(_zygote(with_litellm), words, given)
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


def _order(zygote: socket.socket, words: Sequence[str], descriptors: Sequence[int]) -> int:
    order = {"words": words, "folder": str(Path.cwd()), "environment": dict(os.environ)}
    body = json.dumps(order).encode()
    socket.send_fds(zygote, [len(body).to_bytes(4)], descriptors)
    zygote.sendall(body)
    return int.from_bytes(zygote.recv(4, socket.MSG_WAITALL))


@functools.cache
def _zygote(with_litellm: bool) -> socket.socket:
    """The socket to the process, which ends when that is closed."""
    ours, its = socket.socketpair()
    with its:
        program = [sys.executable, "-m", ZYGOTE, str(its.fileno()), *(["litellm"] if with_litellm else [])]
        process = subprocess.Popen(program, pass_fds=[its.fileno()], cwd=ROOT)

    def close() -> None:
        ours.close()
        process.wait(30)

    atexit.register(close)
    return ours
