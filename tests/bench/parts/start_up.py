"""How long a user waits for the server: from starting its process to the answer to `initialize`, and to diagnostics.

Warm is every start but the first after an installation; cold has no bytecode yet. What is left for later by the first
answer is in the time to the diagnostics.
"""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import psutil
from lsprotocol import types

from tests.bench import bare_server
from tests.bench.parts.plan_language import plan, press, worked
from tests.bench.program import SERVER, server_client
from tests.bench.row import Room, Row
from tests.lsp.editor_client import editor_client

BARE = (str(Path(bare_server.__file__)),)
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}


def bench(room: Room) -> Iterator[Row]:
    for state, runs, goal in (("warm", room.pick(15, 1), "< 350"), ("cold", room.pick(3, 1), "")):
        took = {SERVER: list[tuple[float, ...]](), BARE: list[tuple[float, ...]]()}
        for number in range(runs):
            for program, found in took.items():
                fresh = {"PYTHONPYCACHEPREFIX": str(room.folder / f"{program[0]}-{number}".replace("/", "_"))}
                found.append(initialize(program, room.folder, fresh if state == "cold" else {}))
        ours, bare = (list(zip(*found, strict=True)) for found in took.values())
        yield Row(f"{state} `initialize`", "ms", ours[0], bare[0], "bare pygls")
        yield Row(f"{state} `initialize`, processor", "ms", ours[1], bare[1], "bare pygls", goal)
        if state == "warm":
            yield Row("memory when `initialize` is answered", "MB", ours[2], bare[2], "bare pygls", "< 60")
    yield from asyncio.run(first_diagnostics(room, room.pick(5, 1)))


async def first_diagnostics(room: Room, runs: int) -> list[Row]:
    """To those that come of the first key in a plan of ten steps."""
    folder = room.make("first")
    took: dict[str, list[float]] = {"ours": [], "bare": []}
    used: dict[str, list[float]] = {"ours": [], "bare": []}
    servers = {
        "ours": partial(server_client, folder),
        "bare": partial(editor_client, folder, command=(sys.executable, *BARE)),
    }
    for _ in range(runs):
        for name, open_server in servers.items():
            started = time.perf_counter()
            async with open_server() as client:
                await press(client, client.show("first.plan", plan(10)), types.Position(6, 2))
                took[name].append((time.perf_counter() - started) * 1_000)
                used[name].append(worked(client))
    return [
        Row("start → first diagnostics", "ms", took["ours"], took["bare"], "bare pygls"),
        Row("start → first diagnostics, processor", "ms", used["ours"], used["bare"], "bare pygls"),
    ]


def initialize(program: Sequence[str], folder: Path, variables: dict[str, str]) -> tuple[float, ...]:
    """Milliseconds until a new server process answers, those that it had of the processor, and its MB then."""
    body = json.dumps(INITIALIZE).encode()
    started = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *program],
        cwd=folder,
        env={**os.environ, **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            server.stdin.flush()
            length = int(server.stdout.readline().removeprefix(b"Content-Length: "))
            waited = (time.perf_counter() - started) * 1_000
            process = psutil.Process(server.pid)
            used, memory = process.cpu_times(), process.memory_info().rss / 2**20
            while server.stdout.readline().strip():
                pass
            assert "capabilities" in json.loads(server.stdout.read(length))["result"]
            return waited, (used.user + used.system) * 1_000, memory
        finally:
            server.kill()
