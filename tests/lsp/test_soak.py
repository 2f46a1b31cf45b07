"""A server that works for long keeps nothing of it: many turns and executions, counted by the system."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from planact.model.runs.execution import Execution
from tests.lsp.commands.greetings import FAREWELL, FIRST, GREETING, PATH, PLAN, READ, SECOND
from tests.lsp.commands.planact_client import PlanactClient, planact_client, say, scene
from tests.soak import times

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(900), pytest.mark.soak]

SESSIONS = times(10, 20)
TURNS = times(20, 50)
EXECUTIONS = times(40, 200)
MEGABYTE = 1_000_000
THREADS = 3 + min(32, (os.cpu_count() or 1) + 4)
"""The loop's, the reader's, that of the mirrors, and those of asyncio's pool: one more begins whenever two looks at the
disk overlap.
"""


@dataclass(frozen=True)
class Held:
    """What a process holds."""

    memory: int
    files: int
    threads: int
    children: int


async def held(process: psutil.Process) -> Held:
    """The least of each over a second, in which the mirror of what was said last may still be written."""
    seen = []
    for _ in range(20):
        with process.oneshot():
            children = len(process.children(recursive=True))
            seen.append((process.memory_info().rss, open_files(process), process.num_threads(), children))
        await asyncio.sleep(0.05)
    return Held(*map(min, zip(*seen, strict=True)))


def open_files(process: psutil.Process) -> int:
    """How many files are open; 0 where only root may look into a server, which lets no other process read it."""
    try:
        return process.num_fds()
    except psutil.AccessDenied:
        assert os.getuid()
        return 0


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def talk(client: PlanactClient, sessions: int) -> None:
    for _ in range(sessions):
        session = await client.do("newSession")
        for turn in range(TURNS):
            ended = await client.do("sendMessage", session_id=session.id, text=f"What does it say? ({turn})")
            assert (ended.status, ended.text) == ("done", "It greets.")
        client.notices.clear()


async def execute(client: PlanactClient, count: int) -> None:
    for _ in range(count):
        uri = client.write(PATH, PLAN)
        client.write("greeting.txt", GREETING)
        (client.root / "farewell.txt").unlink(missing_ok=True)
        execution: Execution = await client.execute(uri=uri)
        assert execution.status == "success"
        assert (client.root / "farewell.txt").read_text() == FAREWELL
        client.notices.clear()


async def test_after_many_turns_and_executions_the_server_holds_what_it_held_before(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as client:
        client.script(FIRST, SECOND, scene("What does it say", READ, say("It greets.")))
        assert client._server is not None
        process = psutil.Process(client._server.pid)
        await talk(client, SESSIONS // 5)
        await execute(client, EXECUTIONS // 5)
        before = await held(process)
        await talk(client, SESSIONS - SESSIONS // 5)
        await execute(client, EXECUTIONS - EXECUTIONS // 5)
        after = await held(process)
        assert (after.files, after.children) == (before.files, 0)
        assert after.threads <= THREADS
        assert after.memory - before.memory < 30 * MEGABYTE
        listed = await client.do("listExecutions", limit=2 * EXECUTIONS)
        assert (len(listed.executions), listed.left_out) == (EXECUTIONS, 0)
        assert names(tmp_path) == [".planact", "farewell.txt", "greet.plan", "greeting.txt", "model.yaml"]
