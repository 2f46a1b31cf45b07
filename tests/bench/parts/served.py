"""The server at work with litellm: what it keeps in memory, and how soon a command is a request to the model."""

import asyncio
import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from tests.bench import bare_server
from tests.bench.parts.turn import reader
from tests.bench.program import server_client
from tests.bench.row import Room, Row
from tests.fakes.loopback_model import LoopbackModel, Say
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import EditorClient, editor_client


def bench(room: Room) -> Iterator[Row]:
    os.environ["OPENAI_API_KEY"] = "sk-bench"
    yield asyncio.run(idle(room, room.pick(5, 1)))
    yield from asyncio.run(at_work(room, room.pick(100, 3), room.pick(20, 1)))


async def idle(room: Room, runs: int) -> Row:
    """Once it has answered a command, with a model that needs no litellm."""
    folder = room.make("idle")
    ours, raw = [], []
    for _ in range(runs):
        async with server_client(folder) as client:
            await client.do("showStatus")
            ours.append(memory_of(client))
        async with editor_client(folder, command=(sys.executable, str(Path(bare_server.__file__)))) as bare:
            raw.append(memory_of(bare))
    return Row("server: memory when idle", "MB", ours, raw, "bare pygls", "< 60")


async def at_work(room: Room, turns: int, messages: int) -> list[Row]:
    """In one server: a message, more of them, then a turn with many calls."""
    folder = room.make("at-work")
    for number in range(50):
        (folder / f"file_{number}.txt").write_text("line\n" * 40)
    waits, raw = [], []
    with LoopbackModel(lambda _: Say("Done.")) as model, reader(turns) as long_model:
        settings: dict[str, Any] = {"model": "openai/bench", "modelEndpoint": model.url, "limits": {"maxTurns": 1_000}}
        async with server_client(folder, settings=settings) as client:
            await client.do("sendMessage", text="Load litellm")
            loaded = memory_of(client)
            for number in range(messages):
                waits.append(await first_request(client, model, f"Message {number}"))
                raw.append(await asyncio.to_thread(bare_request, model))
            client.configure(**{**settings, "modelEndpoint": long_model.url})
            await client.do("newSession")
            await client.do("sendMessage", text="Look at all of it")
            assert len(long_model.requests) == turns + 1
            worked = memory_of(client)
    return [
        Row("server: memory with litellm", "MB", [loaded], [memory_of_litellm()], "litellm alone"),
        Row(f"server: memory after {turns} tool turns", "MB", [worked]),
        Row("server: command → first request, warm", "ms", waits, raw, "a bare client", "< 50"),
    ]


async def first_request(client: PlanactClient, model: LoopbackModel, text: str) -> float:
    """Milliseconds from a command that leaves the editor to the request that reaches the model."""
    known = len(model.requests)
    started = time.perf_counter()
    await client.do("sendMessage", text=text)
    return (model.requests[known].came - started) * 1_000


def bare_request(model: LoopbackModel) -> float:
    """The same for the last request again, from a client that connects and sends it."""
    body, known = model.requests[-1].body, len(model.requests)
    started = time.perf_counter()
    connection = http.client.HTTPConnection(model.url.split("/")[2])
    connection.request("POST", "/v1/chat/completions", body)
    connection.getresponse().read()
    connection.close()
    return (model.requests[known].came - started) * 1_000


def memory_of_litellm() -> float:
    """Megabytes of a process that has imported it."""
    code = "import litellm, psutil; print(psutil.Process().memory_info().rss)"
    environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    told = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, timeout=180)
    return int(told.stdout) / 2**20


def memory_of(client: EditorClient) -> float:
    """Megabytes of the server and what it started."""
    assert client._server is not None
    server = psutil.Process(client._server.pid)
    return sum(process.memory_info().rss for process in (server, *server.children(recursive=True))) / 2**20
