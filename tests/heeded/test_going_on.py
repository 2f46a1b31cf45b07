"""Work goes on when the answer comes, also after the server was killed, by a real client and a model that rewords."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from planact.lsp.protocol import messages
from planact.plan.approval import approval_hash
from tests.fakes.loopback_model import Call, Say, results
from tests.heeded.rewording_model import Reword, RewordingModel
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

PATH = "greet.plan"
PLAN = """---
id: plan_20261120_k3v9
---
# Ask and write

## Steps
- [ ] 1. Ask, then write `farewell.txt`
  - reason: only the user knows
  - files: farewell.txt
"""
TONE = {"name": "tone", "options": [{"label": name, "value": name.lower()} for name in ("Warm", "Cool")]}
STEP = {"action": "Write `farewell.txt`", "reason": "it is polite", "files": ["farewell.txt"]}


def answer(request: dict[str, Any], reword: Reword) -> Say:
    """Ask for the tone in other words each time, then write what it was for: the file, or the plan."""
    tools = {tool["function"]["name"] for tool in request["tools"]}
    if results(request, "create_file") or results(request, "write_plan"):
        return Say(reword("That is all."))
    if not any('"answers"' in text for text in results(request, "ask_user")):
        return Say("", [Call("ask_user", {"questions": [TONE | {"question": reword("Which tone?")}]})])
    if "create_file" in tools:
        return Say("", [Call("create_file", {"path": "farewell.txt", "content": "cool\n"})])
    return Say("", [Call("write_plan", {"goal": "Be cool", "steps": [STEP]})])


def write_around_the_question(request: dict[str, Any], reword: Reword) -> Say:
    """Write a file before the question, and another one once it is answered."""
    written, is_answered = results(request, "create_file"), "They answered" in str(request["messages"])
    if written and is_answered:
        return Say(reword("That is all."))
    if written:
        return Say("", [Call("ask_user", {"questions": [TONE | {"question": reword("Which tone?")}]})])
    return Say("", [Call("create_file", {"path": "farewell.txt" if is_answered else "hello.txt", "content": "cool\n"})])


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[RewordingModel]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    with RewordingModel(answer) as model:
        yield model


async def killed(folder: Path, settings: dict[str, Any], command: str, **payload: Any) -> Any:
    """The question at which the work waited when its server was killed."""
    async with planact_client(folder, settings=settings) as client:
        running = client.begin(command, **payload)
        asked = await client.question()
        await client.kill()
        running.cancel()
        return asked


@pytest.mark.parametrize("is_plain", [False, True])
async def test_a_run_goes_on_with_the_answer_and_never_before(
    tmp_path: Path, model: RewordingModel, is_plain: bool
) -> None:
    (tmp_path / PATH).write_text(PLAN)
    settings = model.settings | {"approval": "acceptAll"}
    uri = (tmp_path / PATH).as_uri()
    asked = await killed(tmp_path, settings, "executePlan", uri=uri, approve_hash=approval_hash(PLAN))
    before, offered = len(model.requests), []

    async def click(params: types.ShowMessageRequestParams) -> Any:
        offered.append([action.title for action in params.actions or ()])
        return types.MessageActionItem("Continue")

    async with planact_client(tmp_path, full(extras={}) if is_plain else None, settings=settings) as client:
        client.on_question = click
        [waiting] = (await client.do("listQuestions")).questions
        assert (waiting.question_id, len(model.requests)) == (asked.question_id, before)
        await client.do("answerQuestion", question_id=asked.question_id, answers={"tone": "cool"})
        await until(lambda: (tmp_path / "farewell.txt").exists() and "[x] 1." in (tmp_path / PATH).read_text())
        assert (await client.do("listQuestions")).questions == ()
    assert offered == ([["Continue"]] if is_plain else [])
    assert "“Which tone?” They answered: cool" in str(model.requests[before].json["messages"])


async def test_a_run_that_goes_on_is_one_run_with_one_record_and_one_roll_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    (tmp_path / PATH).write_text(PLAN.replace("files: f", "files: hello.txt, f"))
    hash_ = approval_hash((tmp_path / PATH).read_text())
    with RewordingModel(write_around_the_question) as model:
        settings = model.settings | {"approval": "acceptAll"}
        asked = await killed(tmp_path, settings, "executePlan", uri=(tmp_path / PATH).as_uri(), approve_hash=hash_)
        before = len(model.requests)
        async with planact_client(tmp_path, settings=settings) as client:
            [killed_run] = (await client.do("listExecutions")).executions
            await client.do("answerQuestion", question_id=asked.question_id, answers={"tone": "cool"})
            await until(lambda: told(client) == "success")
            assert {told.execution.id for told in client.heard(messages.EXECUTION_PROGRESS)} == {killed_run.id}
            [run] = (await client.do("listExecutions")).executions
            assert (run.id, run.status, run.started_at) == (killed_run.id, "success", killed_run.started_at)
            ended = [(step.status.value, step.attempt, len(step.files)) for step in run.steps]
            assert ended == [("pending", 1, 1), ("done", 2, 2)]
            assert run.usage.requests == len(model.requests) > before
            undoing = client.begin("rollBack", execution_id=run.id)
            asked = await client.question()
            await client.answer(asked, roll_back=True)
            assert {file.path for file in (await undoing).files} == {"hello.txt", "farewell.txt"}
    assert not any((tmp_path / name).exists() for name in ("hello.txt", "farewell.txt"))


def told(client: PlanactClient) -> str:
    """The status of the run in the last notification."""
    progress = client.heard(messages.EXECUTION_PROGRESS)
    return progress[-1].execution.status if progress else ""


async def test_a_changed_plan_does_not_go_on_by_itself(tmp_path: Path, model: RewordingModel) -> None:
    (tmp_path / PATH).write_text(PLAN)
    uri = (tmp_path / PATH).as_uri()
    asked = await killed(tmp_path, model.settings, "executePlan", uri=uri, approve_hash=approval_hash(PLAN))
    before, offered = len(model.requests), asyncio.Event()

    async def close(_: types.ShowMessageRequestParams) -> Any:
        offered.set()

    (tmp_path / PATH).write_text((tmp_path / PATH).read_text().replace("only the user knows", "it is polite"))
    async with planact_client(tmp_path, settings=model.settings) as client:
        client.on_question = close
        await client.do("answerQuestion", question_id=asked.question_id, answers={"tone": "cool"})
        await asyncio.wait_for(offered.wait(), 180)
    assert len(model.requests) == before


async def test_a_planning_turn_goes_on_with_the_answer(tmp_path: Path, model: RewordingModel) -> None:
    asked = await killed(tmp_path, model.settings, "generatePlan", request="Say goodbye")
    async with planact_client(tmp_path, settings=model.settings) as client:
        await client.do("answerQuestion", question_id=asked.question_id, answers={"tone": "cool"})
        await until(lambda: any((tmp_path / ".planact" / "plans").glob("*be-cool.plan")))
