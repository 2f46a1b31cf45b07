"""How long a user waits for the server: from starting the process to the answer to `initialize`."""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 5
LIMIT_MS = 2_000  # litellm alone takes that long to import: whoever imports it first fails here

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}


def test_initialize_is_answered_before_anything_heavy_loads(tmp_path: Path) -> None:
    waits = [wait_for_initialize(tmp_path) for _ in range(RUNS)]
    print(f"\nprocess start → initialize: median {statistics.median(waits):.0f} ms, worst {max(waits):.0f} ms")
    assert statistics.median(waits) < LIMIT_MS


def wait_for_initialize(folder: Path) -> float:
    """Milliseconds until a new server process answers."""
    body = json.dumps(INITIALIZE).encode()
    started = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "planact", "serve"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            server.stdin.flush()
            length = int(server.stdout.readline().removeprefix(b"Content-Length: "))
            waited = (time.perf_counter() - started) * 1_000
            while server.stdout.readline().strip():
                pass
            assert "capabilities" in json.loads(server.stdout.read(length))["result"]
            return waited
        finally:
            server.kill()
