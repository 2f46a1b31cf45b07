"""Two editors and a terminal in one folder, and a user who goes on typing: real processes, nothing lost."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import (
    ASK_PLAN,
    ASKING,
    FAREWELL,
    FIRST,
    GREETING,
    HELLO,
    PATH,
    PLAN,
    SECOND,
    SUBMITTED,
    WRITE,
)
from tests.lsp.commands.planact_client import PlanactClient, call, calls, planact_client, say, scene
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

LIMIT = 60
WAIT = calls(call("execute_command", command="touch waiting; while [ ! -e go ]; do sleep 0.02; done"))
"""A command that runs until the test lets it end."""

SLOW_PLAN = PLAN.replace("  - tools: create_file\n", "  - tools: execute_command, create_file\n").replace(
    "2. 👋 Write `farewell.txt`", f"2. 👋 Run `{WAIT['calls'][0]['args']['command']}`, write `farewell.txt`"
)
SLOW_SECOND = scene("Carry out step 2 ", WAIT, WRITE, say("Said goodbye."), mode="act")
PLANNING = scene(
    "^Greet number",
    calls(call("read_file", path="greeting.txt")),
    calls(call("write_plan", **SUBMITTED)),
    say("a plan in many small words that takes a moment", delay=0.02),
    mode="plan",
)


class Terminal:
    """The command line in the same folder, with the same home as the servers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def run(self, *words: str) -> tuple[int, Any]:
        environment = {**os.environ, "PLANACT_MODEL": "scripted:model.yaml"}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "planact", *words, "--json"),
            cwd=self.folder,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        out, _ = await asyncio.wait_for(process.communicate(), LIMIT)
        assert process.returncode is not None
        return process.returncode, json.loads(out)


def fill(folder: Path, *scenes: dict[str, Any], plan: str = SLOW_PLAN) -> None:
    (folder / "greeting.txt").write_text(GREETING)
    (folder / "model.yaml").write_text(yaml.safe_dump({"scenes": list(scenes)}, allow_unicode=True))
    (folder / PATH).write_text(plan)


async def begun(client: PlanactClient) -> "asyncio.Task[Any]":
    """The plan runs, and its second step waits."""
    running = asyncio.ensure_future(client.execute(uri=client.uri(PATH)))
    await until((client.root / "waiting").exists)
    return running


async def again(client: PlanactClient) -> Any:
    """Go on with the plan, whose second step was interrupted after it began a command."""
    running = client.begin("executePlan", uri=client.uri(PATH))
    await client.answer(await client.question(), interrupted="again")
    return await asyncio.wait_for(running, LIMIT)


async def test_everybody_plans_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    fill(tmp_path, PLANNING)
    terminal = Terminal(tmp_path)
    async with planact_client(tmp_path) as first, planact_client(tmp_path) as second:
        sessions = [await editor.do("newSession") for editor in (first, first, second, second)]
        editors = (first, first, second, second)
        planning = [
            editor.begin("sendMessage", session_id=session.id, text=f"Greet number {number}")
            for number, (editor, session) in enumerate(zip(editors, sessions, strict=True))
        ]
        typed = [terminal.run("plan", f"Greet number {number}") for number in (5, 6)]
        ended = await asyncio.wait_for(asyncio.gather(*planning), LIMIT)
        shell = await asyncio.gather(*typed)
        assert [each.status for each in ended] == ["done"] * 4
        assert [code for code, _ in shell] == [0, 0]
        plans = (await first.do("listPlans")).plans
        assert [plan.path for plan in plans] == [plan.path for plan in (await second.do("listPlans")).plans]
        own = [plan for plan in plans if plan.path != PATH]
        assert len({plan.id for plan in own}) == len(own) == 6
        texts = [(tmp_path / plan.path).read_text() for plan in own]
        assert [text.count("- [ ] ") for text in texts] == [2] * 6
        listed = (await second.do("listSessions")).sessions
        assert {f"Greet number {number}" for number in (0, 1, 2, 3, 5, 6)} <= {session.title for session in listed}
        index = json.loads((tmp_path / ".planact" / "plans" / "index.json").read_text())
        assert {plan.id for plan in own} <= set(json.dumps(index).replace('"', " ").split())


async def test_a_second_run_is_told_who_has_the_folder_and_planning_goes_on(tmp_path: Path) -> None:
    fill(tmp_path, FIRST, SLOW_SECOND, PLANNING)
    terminal = Terminal(tmp_path)
    async with planact_client(tmp_path) as first, planact_client(tmp_path) as second:
        running = await begun(first)
        shown = await second.do("showPlan", uri=second.uri(PATH))
        assert shown.is_approved
        session = await second.do("newSession", mode="plan")
        code, message = await second.refusal("executePlan", uri=second.uri(PATH), session_id=session.id)
        assert (code, f"{PATH}: Greet the 🌍 politely" in message) == ("BUSY", True)
        code, message = await second.refusal("executePlan", uri=second.uri(PATH))
        assert (code, PATH in message) == ("BUSY", True)
        exit_code, told = await terminal.run("act", PATH, "--yes")
        assert (exit_code, told["error"]["code"], PATH in told["error"]["message"]) == (1, "BUSY", True)
        planned = await second.do("sendMessage", session_id=session.id, text="Greet number 7")
        assert planned.status == "done"
        (tmp_path / "go").touch()
        assert (await asyncio.wait_for(running, LIMIT)).status == "success"
        assert ((tmp_path / "greeting.txt").read_text(), (tmp_path / "farewell.txt").read_text()) == (HELLO, FAREWELL)
        runs = (await second.do("listExecutions")).executions
        assert [run.status for run in runs] == ["success"]


async def test_a_killed_run_holds_nobody_up(tmp_path: Path) -> None:
    fill(tmp_path, FIRST, SLOW_SECOND)
    async with planact_client(tmp_path) as first, planact_client(tmp_path) as second:
        running = await begun(first)
        await first.kill()
        await asyncio.wait([running])
        (tmp_path / "go").touch()
        assert (await again(second)).status == "success"
        assert (tmp_path / "farewell.txt").read_text() == FAREWELL


async def test_a_message_to_a_running_plan_is_queued_and_read_before_the_next_reply(tmp_path: Path) -> None:
    heard = scene("^Wave too", calls(call("create_file", path="farewell.txt", content="waves\n")), say("Waved."))
    fill(tmp_path, FIRST, SLOW_SECOND, heard)
    terminal = Terminal(tmp_path)
    async with planact_client(tmp_path) as first:
        running = await begun(first)
        session = (await first.do("listSessions")).sessions[0]
        assert (await first.do("sendMessage", session_id=session.id, text="Wave to all")).status == "queued"
        exit_code, told = await terminal.run("chat", "Wave too", "--session", session.id)
        assert (exit_code, told["status"]) == (0, "queued"), "also from another process"
        shown = [said.content for said in first.heard(messages.MESSAGE) if said.metadata.get("queued")]
        assert shown == ["Wave to all"]
        (tmp_path / "go").touch()
        assert (await asyncio.wait_for(running, LIMIT)).status == "success"
        assert (tmp_path / "farewell.txt").read_text() == "waves\n"


async def test_a_queued_message_survives_the_death_of_the_server(tmp_path: Path) -> None:
    fill(tmp_path, FIRST, SLOW_SECOND)
    async with planact_client(tmp_path) as first:
        running = await begun(first)
        assert (await first.do("sendMessage", text="Wave too")).status == "queued"
        await first.kill()
        await asyncio.wait([running])
    async with planact_client(tmp_path) as second:
        second.script(SECOND)
        assert (await again(second)).status == "success"
        session = (await second.do("listSessions")).sessions[0]
        mirror = tmp_path / ".planact" / "sessions" / f"{session.id}.chat"
        waving = "The user wrote before it, and it was not read yet:\n\nWave too"
        await until(lambda: waving in mirror.read_text())


async def test_work_is_stopped_at_any_time_also_with_messages_waiting(tmp_path: Path) -> None:
    fill(tmp_path, FIRST, SLOW_SECOND, scene("^Go on", say("I wave.")))
    async with planact_client(tmp_path) as client:
        running = await begun(client)
        assert (await client.do("sendMessage", text="Wave too")).status == "queued"
        assert (await client.do("stop")).stopped
        assert (await asyncio.wait_for(running, LIMIT)).status == "paused"
        assert (await client.do("sendMessage", text="Go on")).text == "I wave."


@pytest.mark.parametrize("answers_at", ["the other editor", "the terminal"])
async def test_a_question_is_shown_everywhere_and_answered_once(tmp_path: Path, answers_at: str) -> None:
    fill(tmp_path, ASKING, plan=ASK_PLAN)
    terminal = Terminal(tmp_path)
    async with planact_client(tmp_path) as first, planact_client(tmp_path) as second:
        running = asyncio.ensure_future(first.execute(uri=first.uri(PATH)))
        asked = await first.question()
        assert [each.question_id for each in (await second.do("listQuestions")).questions] == [asked.question_id]
        if answers_at == "the terminal":
            assert (await terminal.run("answer", asked.question_id, "Warm"))[0] == 0
        else:
            await second.answer(asked, tone="warm")
        assert (await asyncio.wait_for(running, LIMIT)).status == "success"
        assert (tmp_path / "farewell.txt").read_text() == "warm\n"
        await until(lambda: bool(first.heard(messages.QUESTION_RESOLVED)))
        assert (await first.refusal("answerQuestion", question_id=asked.question_id, answers={"tone": "cool"}))[0] == (
            "QUESTION_NOT_OPEN"
        )
