"""A folder with the scripted language server for its `.txt` files."""

import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import psutil
import pytest

from planact.model.settings import LanguageServer, Settings
from tests.fakes.world import World

PYTHON = shutil.which("python3", path="/usr/bin:/bin") or sys.executable
"""The system's, which a jail can read: in tests the user's home is elsewhere."""

SERVER = Path(__file__).with_name("scripted_server.py")
T = TypeVar("T")


class Yard:
    """The folder; `run` does something in it, and ends its servers."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        (root / "server.py").write_text(SERVER.read_text())  # the jail lets it read no other folder

    def world(self, manner: str, *more: str, files: Sequence[str] = (".txt",), **settings: Any) -> World:
        return World(self.root, settings=self.settings(manner, *more, files=files, **settings))

    def settings(self, manner: str, *more: str, files: Sequence[str] = (".txt",), **settings: Any) -> Settings:
        """Those of a user who has the server."""
        command = [PYTHON, "-I", str(self.root / "server.py"), manner, *more]
        server = LanguageServer(command=command, files=dict.fromkeys(files, "plaintext"), settings=settings)
        return Settings(model="played", language_servers={"scripted": server})

    def run(self, world: World, job: Callable[[], Awaitable[T]]) -> T:
        async def whole() -> T:
            try:
                return await job()
            finally:
                await world.language_servers.close()

        return asyncio.run(whole())

    def processes(self) -> list[psutil.Process]:
        """Those of the scripted server that live."""
        found = []
        for process in psutil.process_iter():
            try:
                if str(self.root / "server.py") in process.cmdline() and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
            except psutil.Error:
                continue
        return found


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path / "ws")
