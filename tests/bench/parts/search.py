"""What `search_code` takes in small, middle and large trees, beside ripgrep alone up to the same number of lines."""

import asyncio
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.bench.calls import a_turn, done, opened
from tests.bench.row import Room, Row, awaited_in_turns
from tests.bench.trees import COMMON, RARE, kept_repository
from tests.fakes.world import call

LIMIT = 100
WORDS: Mapping[str, str] = {"3 hits in all": RARE, f"the first {LIMIT} hits": COMMON}


def bench(room: Room) -> Iterator[Row]:
    turn = a_turn()
    for files, runs in room.pick(((1_000, 9), (10_000, 9), (200_000, 3)), ((200, 1),)):
        root = kept_repository(files)
        workspace = opened(root)

        async def ours(word: str) -> None:
            arguments = {"pattern": word, "is_literal": True, "limit": LIMIT}
            text = done(await workspace.gate.call(call("search_code", **arguments), turn))  # noqa: B023
            assert len(text.splitlines()) >= 3

        for what, word in WORDS.items():
            acts = {"ours": lambda: ours(word), "raw": lambda: asyncio.to_thread(ripgrep, word, root)}  # noqa: B023
            took = asyncio.run(awaited_in_turns(runs, acts))
            goal = "1.5 × raw" if files == 200_000 and word == RARE else ""
            yield Row(f"search {files:,} files, {what}", "ms", took["ours"], took["raw"], "rg", goal)


def ripgrep(word: str, root: Path) -> None:
    """Read as many lines as we do, and end it."""
    with subprocess.Popen(
        ["rg", "--line-number", "--fixed-strings", word, str(root)], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert sum(1 for _, _line in zip(range(LIMIT), program.stdout, strict=False)) >= 3
        program.kill()
