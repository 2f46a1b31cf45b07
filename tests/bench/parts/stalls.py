"""What a client that asks without a pause waits for at most: until the server has imported what it is made of, then
while litellm loads beside it, then while the first message of all becomes a request.

What it asks is for the links of a document that isn't open, so that finding the answer is no work. A bare server
answers as many of these.
"""

import asyncio
import math
import os
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
Waits = tuple[float, list[float], list[float]]
Worst = Callable[[list[float]], float]
LINKS = {"textDocument": {"uri": "file:///nowhere.plan"}}


def bench(room: Room) -> Iterator[Row]:
    os.environ["OPENAI_API_KEY"] = "sk-bench"
    yield from asyncio.run(stalls(room, room.pick(5, 1)))


async def stalls(room: Room, runs: int) -> list[Row]:
    ours, raw = [], []
    for number in range(runs):
        folder = room.make(f"stalls-{number}")
        ours.append(await served(folder))
        raw.append(await served_barely(folder, len(ours[-1][1]), len(ours[-1][2])))
    first, loading, message = zip(*ours, strict=True)
    bare_first, bare_loading, bare_message = zip(*raw, strict=True)
    what = "wait for an answer while litellm loads"
    return [
        Row("`initialize` → the next answer", "ms", first, bare_first, "start of bare pygls"),
        beside(f"longest {what}", max, loading, bare_loading, "< 50"),
        beside(f"{what}, p99", p99, loading, bare_loading),
        beside("longest wait during the first message", max, message, bare_message),
    ]


def beside(
    name: str,
    of: Callable[[list[float]], float],
    ours: Iterable[list[float]],
    raw: Iterable[list[float]],
    goal: str = "",
) -> Row:
    return Row(name, "ms", [*map(of, ours)], [*map(of, raw)], "bare pygls", goal)


async def served(folder: Path) -> Waits:
    """Milliseconds of the first answer, of each while litellm loads, and of each until the model is asked."""
    with LoopbackModel(lambda _: Say("Done.")) as model:
        params: dict[str, Any] = {
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "folder"}],
            "initializationOptions": {"settings": {"model": "openai/bench", "modelEndpoint": model.url}},
        }
        async with raw_client(folder, ("-m", "planact", "serve")) as client:
            await client.initialize(**params)
            [first] = await waits(client, partial(eq, 1))
            loading = await waits(client, is_loaded(client))
            client.execute("message", "planact.sendMessage", {"text": "Look"})
            return first, loading, await waits(client, lambda _: bool(model.requests))


async def served_barely(folder: Path, loading: int, message: int) -> Waits:
    """The same of a server that does nothing else, and of its start."""
    started = time.perf_counter()
    async with raw_client(folder, (str(Path(bare_server.__file__)),)) as client:
        await client.initialize()
        start = (time.perf_counter() - started) * 1_000
        return start, await waits(client, partial(eq, loading)), await waits(client, partial(eq, message))


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


async def waits(client: RawClient, is_over: Callable[[int], bool]) -> list[float]:
    """Milliseconds of each answer until it is over, which is asked with their number."""
    took: list[float] = []
    while not is_over(len(took)):
        started = time.perf_counter()
        client.send(id=f"ask-{started}", method=types.TEXT_DOCUMENT_DOCUMENT_LINK, params=LINKS)
        assert "result" in await client.answer(f"ask-{started}")
        took.append((time.perf_counter() - started) * 1_000)
        await asyncio.sleep(PAUSE)
    return took


def p99(took: list[float]) -> float:
    return sorted(took)[math.ceil(0.99 * len(took)) - 1]
