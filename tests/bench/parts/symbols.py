"""What `search_symbol` takes in a large tree: the first time, when nothing is known of it, and once all of it is."""

import asyncio
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

from planact.adapters.store.state.database import state_folder
from tests.bench.calls import a_turn, a_workspace, done
from tests.bench.row import Room, Row, awaited_in_turns
from tests.bench.trees import grow
from tests.fakes.world import call

NAME = "function_of_one_file"


def bench(room: Room) -> Iterator[Row]:
    files = room.pick(10_000, 50)
    workspace, turn = a_workspace(room), a_turn()
    root = workspace.ports.files.root
    grow(root / "tree", files)
    (root / "one.py").write_text(f"def {NAME}() -> None: ...\n")

    async def find() -> str:
        return done(await workspace.gate.call(call("search_symbol", name=NAME), turn))

    async def settle() -> None:
        """Search until every file has an outline, and is older than what a coarse clock can't tell apart."""
        while True:
            await find()
            if _kept(root) > files:
                break
        await asyncio.sleep(room.pick(2.5, 0))
        await find()

    async def in_turns(count: int) -> Mapping[str, list[float]]:
        try:
            return await awaited_in_turns(count, acts)
        finally:
            await workspace.ports.symbols.close()

    acts: Mapping[str, Callable[[], Awaitable[object]]] = {
        "ours": find,
        "raw": lambda: asyncio.to_thread(ripgrep, root),
    }
    cold = asyncio.run(in_turns(1))
    yield Row(f"find a symbol in {files:,} files, the first time", "ms", cold["ours"], cold["raw"], "rg --word-regexp")
    asyncio.run(settle())
    warm = asyncio.run(in_turns(room.pick(15, 1)))
    yield Row(f"find a symbol in {files:,} files", "ms", warm["ours"], warm["raw"], "rg --word-regexp", "< 200")


def _kept(root: Path) -> int:
    """How many files have an outline."""
    with closing(sqlite3.connect(state_folder(root) / "symbols.db")) as connection:
        (count,) = connection.execute("SELECT count(*) FROM outlines").fetchone()
    assert isinstance(count, int)
    return count


def ripgrep(root: Path) -> None:
    said = subprocess.run(["rg", "--word-regexp", NAME, str(root)], capture_output=True, check=True, text=True).stdout
    assert said.count(NAME) == 1
