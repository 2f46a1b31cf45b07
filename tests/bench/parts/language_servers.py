"""What it takes planact to have an edit checked by a language server that itself takes no time, and what real ones cost
on a project of eleven files. Needs `tests/language_servers/install`.
"""

import asyncio
from collections.abc import Iterator

import psutil

from planact.model.file import EditedText
from planact.model.settings import LanguageServer, Settings
from tests.bench.row import Room, Row, stopwatch
from tests.fakes.world import World
from tests.language_servers.conftest import Yard
from tests.language_servers.test_names_real import PYTHON, SCRIPT
from tests.real.tasks.driver import search_path

C = {
    "compile_flags.txt": "-std=c11\n",
    "store.c": "int load(int path) { return path; }\n",
} | {f"part_{number}.c": "int load(int path);\nint first(void) { return load(1); }\n" for number in range(10)}
SERVERS = {
    "ty": (PYTHON, "store.py", "wrong: str = 1"),
    "basedpyright": (PYTHON, "store.py", "wrong: str = 1"),
    "typescript-language-server": (SCRIPT, "store.ts", "const wrong: string = 1;"),
    "clangd": (C, "store.c", "int wrong(void) { return absent; }"),
}
"""Real servers: the files of a project, one of them, and a line that is an error there."""


def bench(room: Room) -> Iterator[Row]:
    yield from _own_time(room)
    for name in room.pick((*SERVERS,), ("ty",)):
        yield from _cost(room, name)


def _own_time(room: Room) -> Iterator[Row]:
    starts, asides, checks = [], [], []
    for number in range(room.pick(5, 1)):
        yard = Yard(room.folder / f"workspace{number}")
        world = yard.world("versioned")

        async def measure() -> None:
            servers = world.language_servers  # noqa: B023 - run at once
            with stopwatch(starts):
                await servers.check({"a.txt": "wrong 0\n"})
            for edit in range(room.pick(40, 2)):
                edited = EditedText("a.txt", f"wrong {edit}\n", f"wrong {edit + 1}\n")
                with stopwatch(checks):
                    servers.check_edits("s", [edited])
                    (check,) = await servers.news("s")
                assert check.new
                with stopwatch(asides):
                    servers.check_edits("other", [EditedText("b.md", "", "x\n")])
                    assert not await servers.news("other")

        yard.run(world, measure)
    yield Row("start a language server in its jail and hear of its first file", "ms", starts)
    yield Row("hear of an edit from a language server that runs", "ms", checks)
    yield Row("an edit that no language server is for", "ms", asides, goal="< 20")


def _cost(room: Room, name: str) -> Iterator[Row]:
    files, path, mistake = SERVERS[name]
    folder = room.make(name)
    for each, text in files.items():
        (folder / each).write_text(text)
    others = {other: LanguageServer(disabled=True) for other in SERVERS if other != name}
    world = World(folder, settings=Settings(model="played", language_servers=others), search_path=search_path())
    before = _memory()
    first, later, held = [], [], []

    async def measure() -> None:
        servers = world.language_servers
        with stopwatch(first):
            await _found(world, path, f"{files[path]}{mistake}\n")
        for number in range(room.pick(10, 2)):
            with stopwatch(later):
                await _found(world, path, f"{files[path]}{mistake} {_comment(path)} {number}\n")
        held.append((_memory() - before) / 1_000_000)
        await servers.close()

    asyncio.run(measure())
    yield Row(f"{name}: start, and find an error in the first file", "ms", first)
    yield Row(f"{name}: find an error after a change", "ms", later)
    yield Row(f"{name}: memory", "MB", held)


async def _found(world: World, path: str, text: str) -> None:
    """Have a file checked until the server tells its mistake."""
    while True:
        (check,) = await world.language_servers.check({path: text})
        assert not check.trouble, check
        if check.problems:
            return


def _comment(path: str) -> str:
    return "#" if path.endswith(".py") else "//"


def _memory() -> int:
    """Return the bytes that the programs hold which this one started."""
    return sum(each.memory_info().rss for each in psutil.Process().children(recursive=True))
