"""A client that sends exactly what it is told, byte by byte, for what no well-behaved client library would send."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pytest_lsp.client import forward_stderr

from tests.lsp.forked_server import ForkedServer, start_forked

PROBE = Path(__file__).with_name("probe_server.py")
LIMIT = 180.0
"""Seconds after which something counts as hanging, also on a machine that is busy with other things."""


class RawClient:
    def __init__(self, process: asyncio.subprocess.Process | ForkedServer) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._stdin = process.stdin
        self._stdout = process.stdout
        self.others: list[Any] = []
        """Messages that `answer` read and nobody asked for."""

    def send_bytes(self, body: bytes) -> None:
        self._stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def send(self, **message: Any) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def execute(self, msg_id: Any, command: str, *arguments: Any, **more: Any) -> None:
        params = {"command": command, "arguments": arguments, **more}
        self.send(id=msg_id, method="workspace/executeCommand", params=params)

    async def read(self) -> Any:
        """The next message; fails on anything that isn't one."""
        async with asyncio.timeout(LIMIT):
            header = await self._stdout.readuntil(b"\r\n\r\n")
            name, _, length = header.splitlines()[0].partition(b": ")
            assert name == b"Content-Length", header
            return json.loads(await self._stdout.readexactly(int(length)))

    async def answer(self, msg_id: Any) -> Any:
        """The response to a request."""
        while True:
            message = await self.read()
            if message.get("id") == msg_id and "method" not in message:
                return message
            self.others.append(message)

    async def call(self, command: str, *arguments: Any) -> Any:
        """Run a command to its end and give its response."""
        self.execute(command, command, *arguments)
        return await self.answer(command)

    async def initialize(self, **params: Any) -> Any:
        self.send(id=0, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}, **params})
        answer = await self.answer(0)
        self.send(method="initialized", params={})
        return answer["result"]

    def close(self) -> None:
        self._stdin.close()

    async def end(self) -> int:
        """Wait for the end of the process; its exit code."""
        async with asyncio.timeout(LIMIT):
            return await self.process.wait()

    async def leave(self) -> int:
        """End as LSP has it."""
        self.send(id="bye", method="shutdown")
        await self.answer("bye")
        self.send(method="exit")
        return await self.end()


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for what comes sooner or later."""
    for _ in range(int(LIMIT / 0.02)):
        if is_so():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not come")


@asynccontextmanager
async def raw_client(root: Path, program: Sequence[str] = ()) -> AsyncIterator[RawClient]:
    """A client with a process of its own: what Python runs as `program`, else the probe for the folder, forked."""
    if not program:
        async with _forked(root) as client:
            yield client
        return
    process = await asyncio.create_subprocess_exec(
        sys.executable, *program, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield RawClient(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        # Let the pipes' transports close within the loop.
        process._transport.close()
        await asyncio.sleep(0)


@asynccontextmanager
async def _forked(root: Path) -> AsyncIterator[RawClient]:
    server: Any = await start_forked("probe", str(root), with_litellm=False)
    heard = asyncio.create_task(forward_stderr(server))
    try:
        yield RawClient(server)
    finally:
        server.kill()
        await server.wait()
        heard.cancel()
        server.close()
        await asyncio.sleep(0)
