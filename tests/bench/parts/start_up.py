"""How long a user waits for the server: from starting its process to the answer to `initialize`, beside bare pygls.

Warm is every start but the first after an installation; cold has no bytecode yet.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil

from tests.bench import bare_server
from tests.bench.row import Room, Row

OURS, BARE = ("-m", "planact", "serve"), (str(Path(bare_server.__file__)),)
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}


def bench(room: Room) -> Iterator[Row]:
    for state, runs, goal in (("warm", room.pick(20, 1), "< 350"), ("cold", room.pick(3, 1), "")):
        took = {OURS: list[tuple[float, float]](), BARE: list[tuple[float, float]]()}
        for number in range(runs):
            for program, found in took.items():
                fresh = {"PYTHONPYCACHEPREFIX": str(room.folder / f"{program[0]}-{number}".replace("/", "_"))}
                found.append(initialize(program, room.folder, fresh if state == "cold" else {}))
        (walls, processors), (bare_walls, bare_processors) = (zip(*found, strict=True) for found in took.values())
        yield Row(f"{state} `initialize`", "ms", walls, bare_walls, "bare pygls")
        yield Row(f"{state} `initialize`, processor", "ms", processors, bare_processors, "bare pygls", goal)


def initialize(program: Sequence[str], folder: Path, variables: dict[str, str]) -> tuple[float, float]:
    """Milliseconds until a new server process answers, and those that it and its children had of the processor."""
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
            used = psutil.Process(server.pid).cpu_times()
            while server.stdout.readline().strip():
                pass
            assert "capabilities" in json.loads(server.stdout.read(length))["result"]
            return waited, (used.user + used.system) * 1_000
        finally:
            server.kill()
