"""“Stop” and “think again” have their effect also in work without a plan, and when they are answered later; what the
server tells the model of it isn't shown as the user's words.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planact.lsp.protocol import messages
from planact.plan.approval import approval_hash
from tests.cli.program import Program
from tests.fakes.loopback_model import Call, Say, results, turn
from tests.heeded.rewording_model import Reword, RewordingModel
from tests.heeded.test_effects import SEED_OPTIONS, STEP
from tests.lsp.commands.planact_client import PlanactClient, planact_client
from tests.lsp.raw_client import until

SLOW_PLAN = """---
id: plan_20261120_slow
---
# Write a file

## Steps
- [ ] 1. Write `one.txt`
  - reason: it is needed
  - files: one.txt
  - check: `touch checking; while [ ! -e go ]; do sleep 0.02; done`
"""
LATER = "Write two.txt as well"
LEAD = "The user was asked earlier"


def answer(request: dict[str, Any], reword: Reword) -> Say:
    """Do the step of the plan without a question; ask before all else, and plan or write upon the answer."""
    told = str(request["messages"])
    if results(request, "write_plan") or "created two.txt" in results(request):
        return Say(reword("That is all."))
    is_step = "Carry out step 1" in told and LATER not in told and "touch checking" in told
    if is_step:
        return Say(reword("Done.")) if turn(request) else Say("", [Call("create_file", {"path": "one.txt"})])
    if "They answered" not in told and not any('"answers"' in text for text in results(request, "ask_user")):
        asked = {"name": "next", "question": reword("How shall I go on?"), "options": SEED_OPTIONS}
        return Say("", [Call("ask_user", {"questions": [asked]})])
    if "write_plan" in {tool["function"]["name"] for tool in request["tools"]}:
        return Say("", [Call("write_plan", {"goal": "Write it otherwise", "steps": [STEP]})])
    return Say("", [Call("create_file", {"path": "two.txt", "content": "written"})])


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[RewordingModel]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    with RewordingModel(answer) as model:
        yield model


def plans(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / ".planact" / "plans").glob("*write-it-otherwise.plan"))


def test_work_without_a_plan_that_is_stopped_later_ends_as_stopped(tmp_path: Path, model: RewordingModel) -> None:
    planact = Program(tmp_path / "work", tmp_path / "home")
    planact.folder.mkdir()
    planact.home.mkdir()
    model.serve(planact)
    ran = planact.run("chat", "--mode", "act", "Write it", "--json", model="")
    assert ran.code == 3, ran
    (paused,) = planact.run("executions", "--json", model="").json["executions"]
    stopped = planact.run("answer", ran.json["waiting"]["question_id"], "Give up", model="")
    assert "The work has ended." in stopped.out + stopped.err
    (ended,) = planact.run("executions", "--json", model="").json["executions"]
    assert (paused["status"], ended["id"], ended["status"]) == ("paused", paused["id"], "aborted")
    shown = planact.run("executions", "show", ended["id"], "--json", model="").json
    assert shown["reason"] == "stopped by the user: you chose “Give up”"
    assert len(model.requests) == 1


async def shown(client: PlanactClient, session_id: str) -> list[Any]:
    answer = await client.protocol.send_request_async(messages.TRANSCRIPT, {"session_id": session_id})
    return list(messages.Transcript.model_validate(answer).messages)


@pytest.mark.asyncio(loop_scope="session")
async def test_work_without_a_plan_is_planned_when_that_is_chosen_after_a_kill(
    tmp_path: Path, model: RewordingModel
) -> None:
    async with planact_client(tmp_path, settings=model.settings) as client:
        session = await client.do("newSession", mode="act")
        running = client.begin("sendMessage", session_id=session.id, text="Write it")
        asked = await client.question()
        await client.kill()
        running.cancel()
    before = len(model.requests)
    async with planact_client(tmp_path, settings=model.settings) as client:
        await client.do("answerQuestion", question_id=asked.question_id, answers={"next": "again"})
        await until(lambda: len(plans(tmp_path)) == 1)
        await until(lambda: client.heard(messages.MESSAGE)[-1].content.casefold().endswith("that is all."))
        transcript = await shown(client, session.id)
        said = [message.content for message in transcript if message.role == "user"]
        assert said == ["Write it", "next: again"]
        assert not any(LEAD in message.content for message in (*transcript, *client.heard(messages.MESSAGE)))
    first = str(model.requests[before].json["messages"])
    assert LEAD in first
    assert "Plan what the user asked for" in first
    [kept] = (tmp_path / ".planact" / "sessions").glob("*.chat")
    assert kept.read_text().partition(LEAD)[0].splitlines()[-2].startswith("## for the model")


@pytest.mark.asyncio(loop_scope="session")
async def test_what_was_written_during_a_run_is_planned_when_that_is_chosen(
    tmp_path: Path, model: RewordingModel
) -> None:
    path = tmp_path / ".planact" / "plans" / "slow.plan"
    path.parent.mkdir(parents=True)
    path.write_text(SLOW_PLAN)
    async with planact_client(tmp_path, settings=model.settings | {"approval": "acceptAll"}) as client:
        running = client.begin("executePlan", uri=path.as_uri(), approve_hash=approval_hash(SLOW_PLAN))
        await until((tmp_path / "checking").exists)
        [run] = (await client.do("listExecutions")).executions
        await client.do("sendMessage", session_id=run.session_id, text=LATER)
        (tmp_path / "go").touch()
        asked = await client.question()
        await client.answer(asked, next="again")
        assert (await running).status == "success"
        assert len(plans(tmp_path)) == 1
        assert (await client.do("showStatus")).mode.value == "plan"
    assert not (tmp_path / "two.txt").exists()


def test_a_revision_that_is_chosen_later_is_no_word_of_the_user(tmp_path: Path, model: RewordingModel) -> None:
    planact = Program(tmp_path / "work", tmp_path / "home")
    planact.folder.mkdir()
    planact.home.mkdir()
    model.serve(planact)
    text = SLOW_PLAN.partition("  - check")[0]
    (planact.folder / "slow.plan").write_text(text)
    ran = planact.run("act", "slow.plan", "--hash", approval_hash(text), "--json", model="")
    assert ran.code == 3, ran
    planact.run("answer", ran.json["waiting"]["question_id"], "Think again", model="")
    before = len(model.requests)
    resumed = planact.run("resume", model="")
    assert LEAD not in resumed.out + resumed.err
    assert "# Write it otherwise" in (planact.folder / "slow.plan").read_text()
    told = [str(message["content"]) for message in model.requests[before].json["messages"]]
    assert [text for text in told if LEAD in text and not text.startswith("[planact] ")] == []
    assert any(f"{LEAD} and has answered" in text for text in told)
    assert any("In step 1 (Write `one.txt`): the plan is to be revised" in text for text in told)
