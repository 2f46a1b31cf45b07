"""What a large folder costs: an idle server in it, the first question of each kind, and a large log in it."""

import asyncio
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from planact.adapters.store.state.database import state_folder
from planact.workflows.workspace import Workspace
from tests.bench.calls import a_turn, done, opened
from tests.bench.program import server_client
from tests.bench.row import Room, Row, stopwatch
from tests.bench.trees import kept_repository
from tests.fakes.world import call

NAME = "needle_in_the_tree"
LIST_ALL = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
"""Lists the files that `find_files` looks through: also those that git doesn't track yet."""

LOG_LINES = 2_000_000
"""Of 100 characters each."""


def bench(room: Room) -> Iterator[Row]:
    yield from asyncio.run(idle(kept_repository(room.pick(500_000, 200)), room.pick(60.0, 0.2)))
    for files in room.pick((10_000, 50_000, 200_000), (200,)):
        yield from firsts(kept_repository(files), files, room.pick(5, 1))
    yield from log(room, room.pick(LOG_LINES, 200_000))


async def idle(root: Path, seconds: float) -> list[Row]:
    """A server after it has answered a command."""
    async with server_client(root) as client:
        await client.do("showStatus")
        assert client._server is not None
        server = psutil.Process(client._server.pid)
        await asyncio.sleep(min(seconds, 5))
        began, spent = time.perf_counter(), processor(server)
        await asyncio.sleep(seconds)
        minutes = (time.perf_counter() - began) / 60
        spent = processor(server) - spent
        watches = watched(server.pid)
    what = "idle server in a large repository"
    return [
        Row(f"{what}: processor", "ms a minute", [spent / minutes], goal="0"),
        Row(f"{what}: watched folders", "watches", [float(watches)], goal="0"),
    ]


def processor(server: psutil.Process) -> float:
    """Milliseconds that it and its programs had of the processor."""
    times = [each.cpu_times() for each in (server, *server.children(recursive=True))]
    return sum(each.user + each.system for each in times) * 1_000


def watched(pid: int) -> int:
    """How many watches a process has with the kernel; -1 where the system doesn't tell, as Linux tells only root."""
    try:
        told = [each.read_text() for each in Path(f"/proc/{pid}/fdinfo").iterdir()]
    except (FileNotFoundError, PermissionError):
        return -1
    return sum(line.startswith("inotify wd:") for text in told for line in text.splitlines())


def firsts(root: Path, files: int, runs: int) -> Iterator[Row]:
    """Each by a workspace that nothing is known of, beside what a program of that kind takes."""
    asked = {
        "search_symbol": (("search_symbol", {"name": NAME}), ["rg", "--word-regexp", NAME, "."], "rg --word-regexp"),
        "search_code": (
            ("search_code", {"pattern": NAME, "is_literal": True}),
            ["rg", "--line-number", "--fixed-strings", NAME, "."],
            "rg",
        ),
        "find_files": (("find_files", {"pattern": f"module_{files // 2}.py"}), LIST_ALL, "git ls-files --others"),
    }
    for name, ((tool, arguments), program, raw) in asked.items():
        took: list[float] = []
        base: list[float] = []
        for _ in range(runs):
            workspace = opened(root)
            forget(workspace)
            assert asyncio.run(answer(workspace, tool, arguments, took)).strip()
            with stopwatch(base):
                subprocess.run(program, cwd=root, check=True, capture_output=True)
        yield Row(f"first {name} in {files:,} files", "ms", took, base, raw, "1.5 × raw" if files == 200_000 else "")


async def answer(workspace: Workspace, tool: str, arguments: dict[str, object], took: list[float]) -> str:
    with stopwatch(took):
        told = done(await workspace.gate.call(call(tool, **arguments), a_turn()))
    await workspace.ports.symbols.close()
    return told


def forget(workspace: Workspace) -> None:
    """What searches before have kept."""
    for file in state_folder(workspace.ports.files.root).glob("symbols.db*"):
        file.unlink()


def log(room: Room, lines: int) -> Iterator[Row]:
    folder = room.make("with-a-log")
    (folder / "large.log").write_text("".join(f"{number:>9} {'x' * 89}\n" for number in range(lines)))
    workspace = opened(folder)
    took: list[float] = []
    base: list[float] = []
    for _ in range(room.pick(5, 1)):
        told = asyncio.run(answer(workspace, "search_code", {"pattern": f" {lines - 1} x", "is_literal": True}, took))
        assert told.startswith("large.log:")
        with stopwatch(base):
            subprocess.run(["rg", f" {lines - 1} x", "."], cwd=folder, check=True, capture_output=True)
    yield Row(f"search a log of {lines // 10_000:,} MB in its folder", "ms", took, base, "rg")
