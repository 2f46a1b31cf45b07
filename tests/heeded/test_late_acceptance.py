"""A plan that the agent offered and that the user accepts after a restart is carried out: that text, and no other."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.cli.program import Program
from tests.fakes.loopback_model import Call, Say, results
from tests.heeded.rewording_model import Reword, RewordingModel
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.lsp.raw_client import until

STEP = {"action": "Write the farewell into `farewell.txt`", "reason": "it is polite"}
PLAN = {"goal": "Be polite", "steps": [STEP]}


def answer(request: dict[str, Any], reword: Reword) -> Say:
    """Write a plan, offer it, and carry it out."""
    is_planning = "write_plan" in {tool["function"]["name"] for tool in request["tools"]}
    if is_planning and results(request, "exit_plan_mode"):
        return Say(reword("As you like."))
    if is_planning and (written := results(request, "write_plan")):
        path = next(word for word in written[0].split() if ".plan" in word).rstrip(".")
        return Say("", [Call("exit_plan_mode", {"plan_file_path": path})])
    if results(request, "create_file"):
        return Say(reword("It is written."))
    if is_planning:
        return Say("", [Call("write_plan", PLAN)])
    return Say("", [Call("create_file", {"path": "farewell.txt", "content": "bye\n"})])


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[RewordingModel]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    with RewordingModel(answer) as model:
        yield model


async def offered(folder: Path, model: RewordingModel) -> Any:
    """The question about the plan, whose server was killed."""
    async with planact_client(folder, settings=model.settings) as client:
        making = client.begin("generatePlan", request="Say goodbye")
        asked = await client.question()
        assert asked.purpose == "exit_plan_mode"
        await client.kill()
        making.cancel()
        return asked


def the_plan(folder: Path) -> Path:
    [path] = (folder / ".planact" / "plans").glob("*be-polite.plan")
    return path


async def is_carried_out(client: PlanactClient, folder: Path) -> None:
    await until(lambda: "[x] 1." in the_plan(folder).read_text())
    async with asyncio.timeout(180):
        while [run.status for run in (await client.do("listExecutions")).executions] != ["success"]:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    assert (folder / "farewell.txt").read_text() == "bye\n"
    assert (await client.do("listQuestions")).questions == ()


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("is_plain", [False, True])
async def test_it_goes_on_upon_the_yes_and_never_before(tmp_path: Path, model: RewordingModel, is_plain: bool) -> None:
    asked, offers = await offered(tmp_path, model), []
    before = len(model.requests)

    async def click(params: types.ShowMessageRequestParams) -> Any:
        offers.append((params.message, [action.title for action in params.actions or ()]))
        return types.MessageActionItem("Continue")

    async with planact_client(tmp_path, full(extras={}) if is_plain else None, settings=model.settings) as client:
        client.on_question = click
        [waiting] = (await client.do("listQuestions")).questions
        assert (waiting.question_id, len(model.requests)) == (asked.question_id, before)
        await client.do("answerQuestion", question_id=asked.question_id, answers={"approve": "accept"})
        await is_carried_out(client, tmp_path)
    path = the_plan(tmp_path).relative_to(tmp_path).as_posix()
    wanted = (f"{path} waited for your answer. Go on with it?", ["Continue"])
    assert offers == ([wanted] if is_plain else [])
    assert "They chose: Accept & Build" in str(model.requests[before].json["messages"])


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("change", ["its text", "a file of it", "the trust"])
async def test_what_has_changed_since_is_told_and_waits_for_the_user(
    tmp_path: Path, model: RewordingModel, change: str
) -> None:
    asked, offers = await offered(tmp_path, model), []
    before = len(model.requests)
    if change == "its text":
        text = the_plan(tmp_path).read_text()
        the_plan(tmp_path).write_text(text.replace("it is polite", "it is late"))
    if change == "a file of it":
        (tmp_path / "farewell.txt").write_text("mine\n")
    obstacles = {
        "its text": "isn't the text that you approved",
        "a file of it": "farewell.txt has changed since",
        "the trust": "your editor doesn't trust this folder",
    }

    async def close(params: types.ShowMessageRequestParams) -> Any:
        offers.append(params.message)

    options = {"workspace_trusted": change != "the trust"}
    async with planact_client(tmp_path, settings=model.settings, options=options) as client:
        client.on_question = close
        await client.do("answerQuestion", question_id=asked.question_id, answers={"approve": "accept"})
        await until(lambda: len(offers) == 1)
        assert obstacles[change] in offers[0]
        assert (len(model.requests), (await client.do("listExecutions")).executions) == (before, ())


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("choice", ["keep_planning", "review"])
async def test_what_is_no_yes_begins_nothing(tmp_path: Path, model: RewordingModel, choice: str) -> None:
    asked = await offered(tmp_path, model)
    before = len(model.requests)
    async with planact_client(tmp_path, settings=model.settings) as client:
        await client.do("answerQuestion", question_id=asked.question_id, answers={"approve": choice})
        await asyncio.sleep(1)
        assert (len(model.requests), (await client.do("listExecutions")).executions) == (before, ())


@pytest.fixture
def planact(tmp_path: Path, model: RewordingModel) -> Program:
    program = Program(tmp_path / "work", tmp_path / "home")
    program.folder.mkdir()
    program.home.mkdir()
    model.serve(program)
    return program


def test_the_terminal_prints_the_one_command_which_asks_nothing_again(planact: Program) -> None:
    waiting = planact.run("plan", "Say goodbye", "--json", model="").json["waiting"]
    accepted = planact.run("answer", waiting["question_id"], "Accept & Build", model="")
    (plan,) = planact.run("plan", "list", "--json", model="").json["plans"]
    assert accepted.err == f"Go on with: planact act {plan['id']}\n"
    assert not (planact.folder / "farewell.txt").exists()
    ran = planact.run("act", plan["id"], model="")
    assert (ran.code, (planact.folder / "farewell.txt").read_text()) == (0, "bye\n"), ran
    assert planact.run("questions", "--json", model="").json["questions"] == []


def test_at_the_terminal_another_text_is_asked_about_and_a_no_leads_to_the_planner(planact: Program) -> None:
    waiting = planact.run("plan", "Say goodbye", "--json", model="").json["waiting"]
    path = the_plan(planact.folder)
    text = path.read_text()
    path.write_text(text.replace("it is polite", "it is late"))
    planact.run("answer", waiting["question_id"], "Accept & Build", model="")
    assert planact.run("act", path.name, "--yes", model="").code != 0
    assert not (planact.folder / "farewell.txt").exists()


def test_at_the_terminal_to_keep_planning_leads_to_the_planner(planact: Program) -> None:
    waiting = planact.run("plan", "Say goodbye", "--json", model="").json
    kept = planact.run("answer", waiting["waiting"]["question_id"], "Keep Planning", model="")
    assert kept.err == f'Say what to change: planact chat --session {waiting["session_id"]} "…"\n'
