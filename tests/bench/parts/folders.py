"""What it takes to list a folder of many entries, to read a line of a large file, to find a file in a large tree."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path

from tests.bench.calls import a_turn, a_workspace, done
from tests.bench.row import Room, Row, awaited_in_turns, in_turns
from tests.bench.trees import grow
from tests.fakes.world import call


def bench(room: Room) -> Iterator[Row]:
    entries, lines, files = room.pick((50_000, 20_000, 20_000), (50, 200, 200))
    workspace, turn = a_workspace(room), a_turn()
    root = workspace.ports.files.root
    many, large = root / "many", root / "large.txt"
    many.mkdir()
    for number in range(entries):
        (many / f"entry_{number}.txt").touch()
    large.write_text("".join(f"line {number} of a large file\n" for number in range(lines)))
    grow(root / "tree", files)

    def through(tool: str, **arguments: object) -> Callable[[], Awaitable[object]]:
        async def act() -> None:
            done(await workspace.gate.call(call(tool, **arguments), turn))

        return act

    async def bare_read() -> str:
        return large.read_text().splitlines()[lines // 2]

    async def bare_list() -> object:
        return sorted((entry.name, entry.is_dir()) for entry in os.scandir(many))

    acts: Mapping[str, Callable[[], Awaitable[object]]] = {
        "bare list": bare_list,
        "list": through("list_directory", path="many"),
        "bare read": bare_read,
        "read": through("read_file", path="large.txt", first_line=lines // 2, last_line=lines // 2),
    }
    took = asyncio.run(awaited_in_turns(room.pick(15, 1), acts))
    yield Row(f"list a folder of {entries:,} entries", "ms", took["list"], took["bare list"], "scandir, sorted")
    size = large.stat().st_size / 1_000
    yield Row(f"read one line of a file of {size:,.0f} kB", "ms", took["read"], took["bare read"], "open and read")
    walks = in_turns(
        room.pick(5, 1),
        {"find": lambda: workspace.ports.files.find("no such file", 100), "walk": lambda: [*walk(root)]},
    )
    yield Row(f"look through the names of {entries + files:,} files", "ms", walks["find"], walks["walk"], "os.walk")


def walk(root: Path) -> Iterator[str]:
    for _, folders, names in os.walk(root):
        folders.sort()
        yield from sorted(names)
