"""Real servers, as processes over stdio and loopback HTTP."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from planact.adapters.mcp import connection, process
from planact.model.settings import McpServer

SERVER = Path(__file__).with_name("server.py")


class Fixture:
    """The server, its settings, and what it did."""

    def __init__(self, log: Path) -> None:
        self.log = log
        log.mkdir()

    def stdio(self, *read_only: str, **more: object) -> McpServer:
        args = [str(SERVER), str(self.log)]
        return McpServer.model_validate({"command": sys.executable, "args": args, "readOnly": list(read_only), **more})

    def said(self, name: str) -> list[str]:
        path = self.log / name
        return path.read_text().splitlines() if path.exists() else []

    def alive(self) -> list[int]:
        """Its processes, and those that it started, that still are."""
        pids = [int(line) for name in ("started", "child") for line in self.said(name)]
        return [pid for pid in pids if _is_alive(pid)]


def _is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn waits for its servers for as long as they may take to start, since a busy machine starts them slowly."""
    for name in ("PATIENCE_SECONDS", "_LIST_SECONDS"):
        monkeypatch.setattr(connection, name, connection.START_SECONDS)
    monkeypatch.setattr(process, "_CONNECT_SECONDS", connection.START_SECONDS)


@pytest.fixture
def fixture(tmp_path: Path) -> Iterator[Fixture]:
    it = Fixture(tmp_path / "log")
    yield it
    for pid in it.alive():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def address(fixture: Fixture) -> Iterator[str]:
    """The URL of the same server over HTTP."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, str(SERVER), str(fixture.log), "http", str(port)], stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(3_000):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait(180)
