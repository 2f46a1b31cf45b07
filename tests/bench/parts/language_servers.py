"""What it takes planact to have an edit checked by a language server that itself takes no time."""

from collections.abc import Iterator

from planact.model.file import EditedText
from tests.bench.row import Room, Row, stopwatch
from tests.language_servers.conftest import Yard


def bench(room: Room) -> Iterator[Row]:
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
