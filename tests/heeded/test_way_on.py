"""A turn in Plan that left a change undone ends with an offer in every client; what the user chooses is done, once."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.cli.program import Program
from tests.fakes.loopback_model import Call, Say
from tests.heeded.rewording_model import Reword, RewordingModel
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

FIX = "Fix the greeting in greeting.txt"
OFFERED = ["Make a plan", "Switch to Act", "Leave it"]
EDIT = Call("update_file", {"path": "greeting.txt", "edits": [{"old": "hello", "new": "goodbye"}]})
STEP = {"action": "Say goodbye", "files": ["greeting.txt"], "tools_needed": ["update_file"]}
PLAN = Call("write_plan", {"goal": "Say goodbye", "steps": [STEP]})


class Fixing:
    """Edits at once, and writes a plan only when it is told that the user wants one, unless it `only_talks`."""

    def __init__(self) -> None:
        self.only_talks = False

    def __call__(self, request: dict[str, Any], reword: Reword) -> Say:
        last = max(n for n, each in enumerate(request["messages"]) if each["role"] == "user")
        is_done = any(each["role"] == "tool" for each in request["messages"][last:])
        if self.only_talks or is_done:
            return Say(reword("The greeting says hello."))
        is_planning = "wants a plan" in str(request["messages"][last]["content"])
        return Say("", [PLAN if is_planning else EDIT])


@pytest.fixture
def fixing() -> Fixing:
    return Fixing()


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, fixing: Fixing, tmp_path: Path) -> Iterator[RewordingModel]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    (tmp_path / "greeting.txt").write_text("hello\n")
    with RewordingModel(fixing) as model:
        yield model


def plans(folder: Path) -> int:
    return len(list(folder.glob(".planact/plans/*.plan")))


async def until_idle(client: PlanactClient) -> None:
    """Wait until the work that has begun is over."""
    await until(lambda: not client.heard("planact/workChanged")[-1].is_running)


async def offered(client: PlanactClient, number: int = 1) -> Any:
    asked = await client.question(number)
    assert [option.label for option in asked.questions[0].options] == OFFERED
    assert asked.questions[0].context == FIX
    return asked


@pytest.mark.parametrize(("only_talks", "status"), [(False, "refused"), (True, "nothing_done")])
async def test_the_offer_follows_the_response_and_makes_the_plan(
    tmp_path: Path, model: RewordingModel, fixing: Fixing, *, only_talks: bool, status: str
) -> None:
    fixing.only_talks = only_talks
    async with planact_client(tmp_path, settings=model.settings) as client:
        ended = await client.do("sendMessage", text=FIX)
        assert ended.status == status
        asked = await offered(client)
        kinds = [getattr(each, "method", "response") for each in client.received]
        place = kinds.index("planact/questionPending")
        assert any(getattr(each, "result", None) and "status" in str(each.result) for each in client.received[:place])
        fixing.only_talks = False
        await client.answer(asked, way_on="plan")
        await until(lambda: plans(tmp_path) == 1)
        await until_idle(client)
        assert (client.text("greeting.txt"), (await client.do("showStatus")).mode) == ("hello\n", "plan")
        assert (await client.do("listQuestions")).questions == ()


async def test_switching_to_act_goes_on_with_the_message_and_asks_as_ever(
    tmp_path: Path, model: RewordingModel
) -> None:
    async with planact_client(tmp_path, settings=model.settings) as client:
        await client.do("sendMessage", text=FIX)
        await client.answer(await offered(client), way_on="act")
        approval = await client.question(2)
        assert (approval.purpose, (await client.do("showStatus")).mode) == ("approval", "act")
        assert client.text("greeting.txt") == "hello\n"
        await client.answer(approval, approval="allow_once")
        await until(lambda: client.text("greeting.txt") == "goodbye\n")
        await until_idle(client)
        [run] = (await client.do("listExecutions")).executions
        assert (run.status, run.goal) == ("success", FIX)


@pytest.mark.parametrize("is_left", [True, False])
async def test_to_leave_it_or_to_write_on_does_nothing_with_it(
    tmp_path: Path, model: RewordingModel, *, is_left: bool
) -> None:
    async with planact_client(tmp_path, settings=model.settings) as client:
        await client.do("sendMessage", text=FIX)
        asked = await offered(client)
        before = len(model.requests)
        if is_left:
            await client.answer(asked, way_on="leave")
        else:
            await client.do("sendMessage", text="What does greeting.txt say?")
            refusal = await client.refusal("answerQuestion", question_id=asked.question_id, answers={"way_on": "act"})
            assert refusal[0] == "QUESTION_NOT_OPEN"
        status = await client.do("showStatus")
        assert (status.mode, status.open_questions, client.text("greeting.txt")) == ("plan", 0, "hello\n")
        assert len(model.requests) == before + (0 if is_left else 2)
        assert len(client.heard("planact/questionPending")) == 1


async def test_an_offer_that_the_conversation_left_behind_does_nothing_and_says_so(
    tmp_path: Path, model: RewordingModel
) -> None:
    async with planact_client(tmp_path, settings=model.settings) as client:
        session = (await client.do("sendMessage", text=FIX)).session_id
        asked = await offered(client)
        await client.do("generatePlan", session_id=session, request="The user wants a plan of a goodbye")
        await client.answer(asked, way_on="act")
        await until(lambda: any("gone on since" in each.message for each in client.messages))
        assert ((await client.do("showStatus")).mode, client.text("greeting.txt")) == ("plan", "hello\n")


async def test_it_is_offered_once_also_where_nothing_comes_of_it(
    tmp_path: Path, model: RewordingModel, fixing: Fixing
) -> None:
    fixing.only_talks = True
    async with planact_client(tmp_path, settings=model.settings) as client:
        await client.do("sendMessage", text=FIX)
        await client.answer(await offered(client), way_on="plan")
        await until(lambda: any("led to no plan" in each.message for each in client.messages))
        await until_idle(client)
        assert len(client.heard("planact/questionPending")) == 1


async def test_a_killed_server_leaves_no_offer_behind(tmp_path: Path, model: RewordingModel) -> None:
    async with planact_client(tmp_path, settings=model.settings) as client:
        await client.do("sendMessage", text=FIX)
        await offered(client)
        await client.kill()
    async with planact_client(tmp_path, settings=model.settings) as client:
        assert (await client.do("listQuestions")).questions == ()
        await client.do("sendMessage", text="What does greeting.txt say?")
        assert client.heard("planact/questionPending") == []


@pytest.mark.parametrize("title", ["Make a plan", None])
async def test_a_plain_client_gets_buttons(tmp_path: Path, model: RewordingModel, title: str | None) -> None:
    asked: list[types.ShowMessageRequestParams] = []

    async def click(params: types.ShowMessageRequestParams) -> Any:
        asked.append(params)
        return title and types.MessageActionItem(title)

    async with planact_client(tmp_path, full(extras={}), settings=model.settings) as client:
        client.on_question = click
        assert (await client.do("sendMessage", text=FIX)).status == "refused"
        await until(lambda: len(asked) == 1)
        assert [action.title for action in asked[0].actions or ()] == OFFERED
        if title:
            await until(lambda: len(client.messages) == 1)
            assert plans(tmp_path) == 1
        else:
            ended = await client.do("sendMessage", text="What does greeting.txt say?")
            assert ended.status == "done"
            assert (await client.do("listQuestions")).questions == ()
            assert plans(tmp_path) == 0
        assert (len(asked), client.text("greeting.txt")) == (1, "hello\n")


@pytest.mark.parametrize(("text", "mode"), [("What does greeting.txt say?", "plan"), (FIX, "act")])
async def test_an_answer_and_work_in_act_end_without_an_offer(
    tmp_path: Path, model: RewordingModel, fixing: Fixing, text: str, mode: str
) -> None:
    fixing.only_talks = True
    async with planact_client(tmp_path, settings=model.settings) as client:
        session = await client.do("newSession", mode=mode)
        await client.do("sendMessage", session_id=session.id, text=text)
        await asyncio.sleep(0.5)
        assert client.heard("planact/questionPending") == []


async def test_a_plan_that_was_asked_for_and_not_made_is_nothing_done(
    tmp_path: Path, model: RewordingModel, fixing: Fixing
) -> None:
    fixing.only_talks = True
    async with planact_client(tmp_path, settings=model.settings) as client:
        ended = await client.do("sendMessage", text=f"/plan {FIX}")
        assert (ended.status, ended.reason) == ("nothing_done", "The request led to no plan.")
        made = await client.do("generatePlan", request=FIX)
        assert (made.plan_id, made.reason) == ("", "The request led to no plan.")
        [told] = client.messages
        assert told.message.startswith("The request led to no plan.\n\n")


async def test_without_an_editor_nothing_is_offered_as_a_question(tmp_path: Path, model: RewordingModel) -> None:
    program = Program(tmp_path / "work", tmp_path / "home")
    program.folder.mkdir()
    program.home.mkdir()
    (program.folder / "greeting.txt").write_text("hello\n")
    model.serve(program)
    ran = await asyncio.to_thread(program.run, "chat", FIX, model="")
    assert ran.code == 4, ran
    listed = await asyncio.to_thread(program.run, "questions", "--json", model="")
    assert json.loads(listed.out)["questions"] == []
