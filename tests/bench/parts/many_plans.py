"""A key in one of 100 open plans, of which 50 steps show lenses: the wait for its diagnostics, at rest and while a run
works in the same folder.
"""

import asyncio
import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lsprotocol import types

from tests.bench import bare_server
from tests.bench.parts.plan_language import plan, press
from tests.bench.parts.runs import PLAN, worker
from tests.bench.parts.runs import plan as run_plan
from tests.bench.program import server_client
from tests.bench.row import Room, Row
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import EditorClient, editor_client

SHOWN = 50
"""Steps of the plan that is typed in, each with its lenses."""


def bench(room: Room) -> Iterator[Row]:
    os.environ["OPENAI_API_KEY"] = "sk-bench"
    for plans in room.pick((1, 10, 100), (2,)):
        yield from asyncio.run(keys(room, plans, room.pick(51, 2), is_largest=plans == room.pick(100, 2)))


async def keys(room: Room, plans: int, count: int, *, is_largest: bool) -> list[Row]:
    folder = room.make(f"plans-{plans}")
    bare_command = (sys.executable, str(Path(bare_server.__file__)))
    with worker() as model:
        settings: dict[str, Any] = {"model": "openai/bench", "modelEndpoint": model.url, "approval": "acceptAll"}
        async with (
            server_client(folder, settings=settings) as client,
            editor_client(folder, command=bare_command) as bare,
        ):
            for number in range(1, SHOWN + 1):
                client.write(f"src/module_{number}.py", "")
            for number in range(plans - 1):
                for each in (client, bare):
                    each.show(f"other_{number}.plan", plan(10))
            uri = client.show("typed.plan", plan(SHOWN))
            bare.show("typed.plan", plan(SHOWN))
            await client.do("showStatus")
            assert len(await client.lenses(uri)) >= SHOWN
            rest, raw = await typed(client, uri, count), await typed(bare, uri, count)
            rows = [Row(f"{plans} open plans: key → diagnostics", "ms", rest, raw, "bare pygls", "< 30")]
            if is_largest:
                beside = await beside_a_run(client, uri, count)
                what = f"{plans} open plans: key → diagnostics while a run works"
                rows.append(Row(what, "ms", beside, raw, "bare pygls"))
                rows.append(Row(f"{what}, p99", "ms", [p99(beside)], [p99(raw)], "bare pygls", "< 100"))
    return rows


async def typed(client: EditorClient, uri: str, count: int) -> list[float]:
    """Milliseconds of keys in an action, after each of which the lenses are asked for, as editors do."""
    took = []
    for key in range(count):
        took.append(await press(client, uri, types.Position(8, 20 + key)))
        if isinstance(client, PlanactClient):
            await client.lenses(uri)
    return took


async def beside_a_run(client: PlanactClient, uri: str, count: int) -> list[float]:
    """The same until a run is over, with litellm loaded before."""
    await client.do("sendMessage", text="Load litellm")
    steps = max(count // 2, 1)
    run = client.show(PLAN, run_plan(steps, steps))
    await client.approve(run)
    work = client.begin("executePlan", uri=run)
    took: list[float] = []
    while not work.done():
        took += await typed(client, uri, 1)
    await work
    return took


def p99(samples: list[float]) -> float:
    return sorted(samples)[math.ceil(0.99 * len(samples)) - 1]
