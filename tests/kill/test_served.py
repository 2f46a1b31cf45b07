"""A language server that is killed in the middle of a run, with files open in the editor, which lives on."""

import asyncio
import sqlite3
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest

from planact.adapters.store.state.database import state_folder
from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from tests.lsp.commands import greetings
from tests.lsp.commands.greetings import FAREWELL, GREETING, HELLO, PATH, READ, SECOND, set_up
from tests.lsp.commands.planact_client import LIMIT, call, calls, planact_client, say, scene
from tests.lsp.raw_client import until
from tests.soak import times

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(900)]

AT_ONCE = 3
FIRST = scene(
    "Carry out step 1 ",
    READ,
    calls(call("update_file", path="greeting.txt", edits=[{"old": "good day", "new": "hello"}])),
    say("Said hello."),
    mode="act",
)
"""Tries it again, and goes on where it is done."""
PLAN = f"{greetings.PLAN}  - check: `test -f farewell.txt`\n"
"""Each step has a check: the files of a killed try are no evidence for the next."""
DONE = [StepStatus.DONE, StepStatus.DONE]


def kinds(folder: Path) -> list[str]:
    connection = sqlite3.connect(f"{(state_folder(folder) / 'state.db').as_uri()}?mode=ro", uri=True)
    try:
        return [kind for (kind,) in connection.execute("SELECT kind FROM journal ORDER BY sequence")]
    finally:
        connection.close()


async def killed(folder: Path, moment: tuple[str, int]) -> dict[str, str]:
    """Execute the plan with the file that it changes open, until then; what is in the windows afterwards."""
    async with planact_client(folder, words=("victim", moment[0], str(moment[1]))) as client:
        uri = set_up(client, FIRST, SECOND, plan=PLAN)
        client.show("greeting.txt")
        client.show(PATH)
        running = asyncio.ensure_future(client.execute(uri=uri))
        assert client._server is not None
        await asyncio.wait_for(client._server.wait(), LIMIT)
        running.cancel()
        return dict(client.texts)


async def taken_up(folder: Path, windows: dict[str, str]) -> list[str]:
    """What is wrong after the editor has started another server, and executed the plan again."""
    async with planact_client(folder) as client:
        for uri, text in windows.items():
            client.show("", text, uri)
        found = [] if client.text("greeting.txt") in (GREETING, HELLO) else [client.text("greeting.txt")]
        running = asyncio.ensure_future(client.execute(uri=client.uri(PATH)))
        await until(lambda: running.done() or bool(client.heard(messages.QUESTION_PENDING)))
        if not running.done():
            running.cancel()
            found.append(f"it waits: {(await client.do('listQuestions')).questions}")
        elif (error := running.exception()) and "all steps of the plan are done" not in str(error):
            found.append(str(error) or repr(error))
        there = [name for name in ("greeting.txt", "farewell.txt") if (folder / name).exists()]
        texts = [client.text(name) for name in there]
        found += [] if texts == [HELLO, FAREWELL] else [str(texts)]
        found += [] if client.marks(PATH) == DONE else [str(client.marks(PATH))]
        plan = PLAN.replace("[ ]", "[x]").replace("draft", "done")
        found += [] if client.text(PATH) == plan else [client.text(PATH)]
        runs = (await client.do("listExecutions")).executions
        done = sorted(step.step_number for run in runs for step in run.steps if step.status is StepStatus.DONE)
        found += [] if done == [1, 2] else [f"done: {done}"]
        found += ["a run still seems to run"] if any(run.status == "running" for run in runs) else []
    names = await asyncio.to_thread(lambda: [path.name for path in folder.rglob("*.tmp")])
    return found + names


@pytest.mark.soak
async def test_a_server_that_is_killed_at_an_entry_is_taken_up_by_the_next(tmp_path: Path) -> None:
    async def one(number: int, moment: tuple[str, int]) -> list[str]:
        async with slots:
            folder = tmp_path / str(number)
            folder.mkdir()
            return await taken_up(folder, await killed(folder, moment))

    slots = asyncio.Semaphore(AT_ONCE)
    whole = tmp_path / "whole"
    whole.mkdir()
    async with planact_client(whole) as client:
        uri = set_up(client, FIRST, SECOND, plan=PLAN)
        await client.execute(uri=uri)
    entries = len(kinds(whole))
    moments: list[tuple[str, int]] = list(product(("before", "after"), range(1, entries + 1)))[:: times(5, 2)]
    moments.append(("after", entries - 1))  # all steps are done, and only the end of the run is missing
    assert len(moments) > 6
    found = await asyncio.gather(*(one(number, moment) for number, moment in enumerate(moments)))
    assert {moment: problems for moment, problems in zip(moments, found, strict=True) if problems} == {}


async def test_one_run_at_a_time_over_two_servers_and_a_terminal_and_none_after_a_kill(tmp_path: Path) -> None:
    slow = scene("Carry out step", say("a word now and then " * 400, delay=0.05), mode="act")
    async with planact_client(tmp_path) as first, planact_client(tmp_path) as second:
        uri = set_up(first, slow)
        running = asyncio.ensure_future(first.execute(uri=uri))
        await first.until_heard(messages.MESSAGE_DELTA)
        assert (await second.refusal("executePlan", uri=uri))[0] == "BUSY"
        busy = await asyncio.to_thread(act, tmp_path)
        assert (busy.returncode, "[BUSY]" in busy.stderr, f"{PATH}: Greet" in busy.stderr) == (1, True, True), busy
        await first.kill()
        running.cancel()
        set_up(second, plan=second.text(PATH))
        done = await asyncio.to_thread(act, tmp_path)
        assert done.returncode == 0, done
        assert second.marks(PATH) == DONE


def act(folder: Path) -> "subprocess.CompletedProcess[str]":
    words = [sys.executable, "-m", "planact", "act", PATH, "--yes", "--model", "scripted:model.yaml"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=180, check=False)
