"""What a folder costs after a year of use where planact begins: the server, `doctor`, and a run's first request.

Each is done by the real program, in turns with the same in a folder that was never used. The year has 2 GB of contents
of files that are kept for undo; it is made once and kept.
"""

import asyncio
import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.state.database import Database
from planact.adapters.system import SystemClock
from planact.plan.approval import approval_hash
from tests.bench import program
from tests.bench.cache import cached
from tests.bench.parts.runs import PLAN, act, plan, worker
from tests.bench.program import environment, server_client
from tests.bench.row import Room, Row
from tests.bench.states import YEAR, Use, use_for_a_year
from tests.bench.trees import git
from tests.fakes.loopback_model import LoopbackModel

MUCH = replace(YEAR, sessions=200)
IMAGE = 100_000
"""Bytes of one content."""


def bench(room: Room) -> Iterator[Row]:
    images = room.pick(20_000, 5)
    use = room.pick(MUCH, Use(plans=2, sessions=2, messages=2, runs=3, events=10, questions=2))
    if room.is_short:
        year = room.make("year")
        make_year(year, use, images)
    else:
        year = cached(f"year-{use.runs}-{use.sessions}-{images}", lambda folder: make_year(folder, use, images))
    fresh = room.make("fresh")
    (fresh / "work").mkdir()
    for folder in (year, fresh):
        git(folder / "work", "init", "-q")  # else the checkout around the year that is kept would be looked through
    took: dict[str, dict[str, list[float]]] = {name: {"year": [], "fresh": []} for name in ACTS}
    for _ in range(room.pick(7, 1)):
        for name, measure in ACTS.items():
            for which, folder in (("year", year), ("fresh", fresh)):
                os.environ["XDG_STATE_HOME"] = str(folder / "state")
                took[name][which].append(measure(folder))
    for name, found in took.items():
        yield Row(
            f"a year, 2 GB for undo: {name}", "ms", found["year"], found["fresh"], "a fresh folder", "≤ 1.2 × raw"
        )


def make_year(folder: Path, use: Use, images: int) -> None:
    """Use `folder / "work"` for a year, with its state in `folder / "state"`."""
    os.environ["XDG_STATE_HOME"] = str(folder / "state")
    work = folder / "work"
    work.mkdir()
    state = use_for_a_year(work, use)
    database = Database(state, SystemClock(), Redactor({}).data, workspace=work)
    filler = os.urandom(IMAGE)
    for begin in range(0, images, 1_000):
        with database.transaction(is_synced=False) as connection:
            contents = (b"%09d" % number + filler for number in range(begin, min(begin + 1_000, images)))
            connection.executemany(
                "INSERT INTO images (sha256, data) VALUES (?, ?)",
                ((hashlib.sha256(content).hexdigest(), content) for content in contents),
            )
    database.close()


def start(folder: Path) -> float:
    """Milliseconds from the start of the server to the state of the session in hand."""

    async def wait() -> float:
        started = time.perf_counter()
        async with server_client(folder / "work") as client:
            await client.do("showStatus")
            return (time.perf_counter() - started) * 1_000

    return asyncio.run(wait())


def doctor(folder: Path) -> float:
    started = time.perf_counter()
    with LoopbackModel(lambda _: []) as model:  # type: ignore[arg-type, return-value] - it isn't asked
        program.start(["doctor"], folder / "work", settings(model)).wait(3_600)
    return (time.perf_counter() - started) * 1_000


def first_request(folder: Path) -> float:
    """Milliseconds from the start of the program that executes a plan of one step to its first request."""
    text = plan(1, 1)
    path = folder / "work" / PLAN
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    (folder / "work" / "part_1.txt").unlink(missing_ok=True)
    with worker() as model:
        started = time.perf_counter()
        act(folder / "work", settings(model), approval_hash(text))
        return (model.requests[0].came - started) * 1_000


def settings(model: LoopbackModel) -> dict[str, str]:
    return environment(model, XDG_STATE_HOME=os.environ["XDG_STATE_HOME"])


ACTS = {"start of the server": start, "doctor": doctor, "start → a run's first request": first_request}
