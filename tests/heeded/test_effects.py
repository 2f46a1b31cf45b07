"""“Stop and let me review” stops: the server heeds the effect of an option, whatever the model says then."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planact.plan.approval import approval_hash
from tests.cli.program import Program, Ran
from tests.fakes.loopback_model import Call, Say, results
from tests.heeded.rewording_model import Reword, RewordingModel
from tests.lsp.commands.planact_client import planact_client
from tests.lsp.raw_client import until

PATH = ".planact/plans/plan_20261120_test-write-two.plan"
PLAN = """---
format_version: "1.0"
id: plan_20261120_test
status: draft
---
# Write two files

## Steps
- [ ] 1. Write `one.txt`
  - reason: it is needed
  - files: one.txt
- [ ] 2. Write `two.txt`
  - reason: it is needed too
  - files: two.txt
"""
SEED_OPTIONS = [
    {"label": "Continue with implementation", "value": "continue"},
    {"label": "Stop and let me review", "value": "pause", "description": "Pause execution to review changes"},
    {"label": "Give up", "value": "abort"},
    {"label": "Think again", "value": "again", "effect": "replan"},
    {"label": "Call it cancel", "value": "cancel", "effect": "continue"},
]
STEP = {"action": "Write `one.txt`", "reason": "it is needed", "files": ["one.txt"]}


def answer(request: dict[str, Any], reword: Reword) -> Say:
    """Go on with all of it, whatever the user says: only the server can stop this model."""
    tools = {tool["function"]["name"] for tool in request["tools"]}
    told = str(request["messages"])
    step = 2 if "Carry out step 2" in told else 1
    heard = any('"answers"' in text for text in results(request)) or "They answered" in told
    asked = ('"answers"', "waits for your answer", "INTERRUPTED")
    done = [text for text in results(request) if not any(each in text for each in asked)]
    if len(done) == (1 if "write_plan" in tools else step):
        return Say(reword("That is all."))
    if not heard:
        asked = {"name": "next", "question": reword("How shall I go on?"), "options": SEED_OPTIONS}
        return Say("", [Call("ask_user", {"questions": [asked]})])
    if "write_plan" in tools:
        return Say("", [Call("write_plan", {"goal": "Write it otherwise", "steps": [STEP]})])
    return Say("", [Call("create_file", {"path": ("one.txt", "two.txt")[step - 1], "content": "written\n"})])


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[RewordingModel]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    with RewordingModel(answer) as model:
        yield model


@pytest.fixture
def planact(tmp_path: Path, model: RewordingModel) -> Program:
    program = Program(tmp_path / "work", tmp_path / "home")
    (program.folder / ".planact" / "plans").mkdir(parents=True)
    program.home.mkdir()
    (program.folder / PATH).write_text(PLAN)
    program.variables["PLANACT_APPROVAL"] = "acceptAll"
    model.serve(program)
    return program


def acted(planact: Program, chosen: str) -> Ran:
    """The run, whose question is answered while it waits."""
    hash_ = approval_hash(PLAN)
    return planact.run("act", PATH, "--hash", hash_, "--answers", answers(planact, chosen), "--json", model="")


def answers(planact: Program, chosen: str) -> str:
    (planact.home / "answers.yaml").write_text(f"- match: ^next$\n  answer: {chosen}\n")
    return str(planact.home / "answers.yaml")


def marks(folder: Path) -> list[str]:
    return [line[3] for line in (folder / PATH).read_text().splitlines() if line.startswith("- [")]


def written(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.txt"))


@pytest.mark.parametrize(
    ("chosen", "status", "state"), [("pause", "paused", "paused"), ("abort", "aborted", "aborted")]
)
def test_the_run_ends_at_once_and_no_next_step_begins(
    planact: Program, model: RewordingModel, chosen: str, status: str, state: str
) -> None:
    ran = acted(planact, chosen)
    assert (ran.code, ran.json["status"]) == (4, status), ran
    assert "you chose" in ran.json["reason"]
    assert marks(planact.folder) == [" ", " "]
    assert f"status: {state}" in (planact.folder / PATH).read_text()
    assert (len(model.requests), written(planact.folder)) == (1, [])


@pytest.mark.parametrize("chosen", ["continue", "cancel"])
def test_an_option_that_goes_on_goes_on(planact: Program, chosen: str) -> None:
    ran = acted(planact, chosen)
    assert (ran.code, ran.json["status"], ran.json["reason"]) == (0, "success", ""), ran
    assert written(planact.folder) == ["one.txt", "two.txt"]


def test_to_replan_revises_the_plan(planact: Program) -> None:
    ran = acted(planact, "again")
    assert ran.json["status"] == "paused"
    assert written(planact.folder) == []
    assert "# Write it otherwise" in (planact.folder / PATH).read_text()


def paused(planact: Program) -> str:
    """The id of the question at which the run waits."""
    ran = planact.run("act", PATH, "--hash", approval_hash(PLAN), "--json", model="")
    assert ran.code == 3, ran
    return str(ran.json["waiting"]["question_id"])


def test_an_answer_after_a_pause_has_its_effect_too(planact: Program, model: RewordingModel) -> None:
    stopped = planact.run("answer", paused(planact), "Give up", model="")
    assert "The work has ended." in stopped.out + stopped.err
    assert planact.run("executions", "--json", model="").json["executions"][0]["status"] == "aborted"
    assert "status: aborted" in (planact.folder / PATH).read_text()
    assert (len(model.requests), written(planact.folder)) == (1, [])


def test_a_later_choice_to_replan_revises_the_plan_upon_resume(planact: Program) -> None:
    planact.run("answer", paused(planact), "Think again", model="")
    planact.run("resume", model="")
    assert written(planact.folder) == []
    assert "# Write it otherwise" in (planact.folder / PATH).read_text()


def test_the_choices_say_what_they_do(planact: Program) -> None:
    paused(planact)
    shown = planact.run("questions", model="").out
    assert "Pause execution to review changes; the work pauses" in shown
    assert "Give up: the work ends" in shown
    assert "Call it cancel\n" in shown


@pytest.mark.parametrize("chosen", ["pause", "abort"])
@pytest.mark.parametrize("words", [("plan", "Write it"), ("chat", "--mode", "act", "Write it")])
def test_a_turn_without_a_plan_ends_too(
    planact: Program, model: RewordingModel, words: tuple[str, ...], chosen: str
) -> None:
    ran = planact.run(*words, "--answers", answers(planact, chosen), "--json", model="")
    assert (ran.code, len(model.requests), written(planact.folder)) == (4, 1, []), ran


def test_to_replan_work_without_a_plan_makes_one(planact: Program) -> None:
    ran = planact.run("chat", "--mode", "act", "Write it", "--answers", answers(planact, "again"), "--json", model="")
    assert ran.code == 0, ran
    assert written(planact.folder) == []
    assert len([*(planact.folder / ".planact" / "plans").glob("*write-it-otherwise.plan")]) == 1


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("chosen", ["pause", "abort"])
async def test_an_answer_after_the_server_was_killed_lets_nothing_go_on(
    tmp_path: Path, model: RewordingModel, chosen: str
) -> None:
    (tmp_path / ".planact" / "plans").mkdir(parents=True)
    (tmp_path / PATH).write_text(PLAN)
    settings = model.settings | {"approval": "acceptAll"}
    async with planact_client(tmp_path, settings=settings) as client:
        running = client.begin("executePlan", uri=(tmp_path / PATH).as_uri(), approve_hash=approval_hash(PLAN))
        asked = await client.question()
        await client.kill()
        running.cancel()
    before = len(model.requests)
    async with planact_client(tmp_path, settings=settings) as client:
        await client.do("answerQuestion", question_id=asked.question_id, answers={"next": chosen})
        await asyncio.sleep(1.5)
        assert (len(model.requests), written(tmp_path)) == (before, [])
        await client.do("resumeExecution", uri=(tmp_path / PATH).as_uri())
        await until(lambda: written(tmp_path) == ["one.txt", "two.txt"])
