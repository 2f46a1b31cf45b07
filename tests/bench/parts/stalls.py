"""What a client that asks without a pause waits for at most: until the server has imported what it is made of, then
while litellm loads beside it, then while the first message of all becomes a request.

What it asks is for the links of a document that isn't open, so that finding the answer is no work. A bare server
answers as many of these.

Others' work on the machine makes each wait longer. What the server had of the processor meanwhile, all of its threads
together, is what the wait would take at most if there were none.
"""

import asyncio
import contextlib
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import eq
from pathlib import Path
from typing import Any

import psutil
from lsprotocol import types

from tests.bench import bare_server
from tests.bench.row import Room, Row
from tests.fakes.loopback_model import LoopbackModel, Say
from tests.lsp.raw_client import LIMIT, RawClient, raw_client

PAUSE = 0.001
LINKS = {"textDocument": {"uri": "file:///nowhere.plan"}}

Waits = tuple[float, list[float], list[float], list[float]]
"""Milliseconds: of the first answer; of each while litellm loads, and those of the processor; of each until the model
is asked.
"""


def bench(room: Room) -> Iterator[Row]:
    os.environ["OPENAI_API_KEY"] = "sk-bench"
    yield from asyncio.run(stalls(room, room.pick(5, 1)))


async def stalls(room: Room, runs: int) -> list[Row]:
    ours, raw = [], []
    for number in range(runs):
        folder = room.make(f"stalls-{number}")
        ours.append(await served(folder))
        raw.append(await served_barely(folder, len(ours[-1][1]), len(ours[-1][3])))
    first, loading, worked, message = zip(*ours, strict=True)
    bare_first, bare_loading, bare_worked, bare_message = zip(*raw, strict=True)
    what = "wait for an answer while litellm loads"
    return [
        Row("`initialize` → the next answer", "ms", first, bare_first, "start of bare pygls"),
        longest(f"longest {what}", loading, bare_loading, "< 50"),
        longest(f"longest {what}, processor", worked, bare_worked),
        Row(f"{what}, p99", "ms", [*map(p99, loading)], [*map(p99, bare_loading)], "bare pygls"),
        longest("longest wait during the first message", message, bare_message),
    ]


def longest(name: str, ours: Iterable[list[float]], raw: Iterable[list[float]], goal: str = "") -> Row:
    return Row(name, "ms", [*map(max, ours)], [*map(max, raw)], "bare pygls", goal)


async def served(folder: Path) -> Waits:
    with LoopbackModel(lambda _: Say("Done.")) as model:
        params: dict[str, Any] = {
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "folder"}],
            "initializationOptions": {"settings": {"model": "openai/bench", "modelEndpoint": model.url}},
        }
        async with raw_client(folder, ("-m", "planact", "serve")) as client:
            await client.initialize(**params)
            [first], _ = await waits(client, partial(eq, 1))
            loading, worked = await waits(client, is_loaded(client))
            client.execute("message", "planact.sendMessage", {"text": "Look"})
            message, _ = await waits(client, lambda _: bool(model.requests))
            return first, loading, worked, message


async def served_barely(folder: Path, loading: int, message: int) -> Waits:
    """The same of a server that does nothing else, and of its start."""
    started = time.perf_counter()
    async with raw_client(folder, (str(Path(bare_server.__file__)),)) as client:
        await client.initialize()
        start = (time.perf_counter() - started) * 1_000
        answered, worked = await waits(client, partial(eq, loading))
        return start, answered, worked, (await waits(client, partial(eq, message)))[0]


def is_loaded(client: RawClient) -> Callable[[int], bool]:
    """Whether the thread that loads litellm has come and gone."""
    server, most, deadline = psutil.Process(client.process.pid), 0, time.monotonic() + LIMIT

    def look(_: int) -> bool:
        nonlocal most
        assert time.monotonic() < deadline
        threads = server.num_threads()
        most = max(most, threads)
        return threads < most

    return look


async def waits(client: RawClient, is_over: Callable[[int], bool]) -> tuple[list[float], list[float]]:
    """Milliseconds of each answer, and those of the processor, until it is over, which is asked with their number."""
    took, used = list[float](), list[float]()
    while not is_over(len(took)):
        started, worked = time.perf_counter(), work_of(client.process.pid)
        client.send(id=f"ask-{started}", method=types.TEXT_DOCUMENT_DOCUMENT_LINK, params=LINKS)
        assert "result" in await client.answer(f"ask-{started}")
        took.append((time.perf_counter() - started) * 1_000)
        used.append(work_of(client.process.pid) - worked)
        await asyncio.sleep(PAUSE)
    return took, used


def work_of(pid: int) -> float:
    """Milliseconds that a process has had of the processor: exactly on Linux, and elsewhere as the system counts."""
    if sys.platform != "linux":
        used = psutil.Process(pid).cpu_times()
        return (used.user + used.system) * 1_000
    nanoseconds = 0
    for thread in Path("/proc", str(pid), "task").iterdir():
        with contextlib.suppress(OSError):  # it ended just now
            nanoseconds += int((thread / "schedstat").read_text().split()[0])
    return nanoseconds / 1e6


def p99(took: list[float]) -> float:
    return sorted(took)[math.ceil(0.99 * len(took)) - 1]
