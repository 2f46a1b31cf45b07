"""A request for a change that comes to nothing ends neither with a bare refusal nor with 0; a question does."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program, Ran
from tests.fakes.loopback_model import Call, Say, system, turn
from tests.heeded.rewording_model import MODEL, Reword, RewordingModel

FIX = "Fix the greeting in greeting.txt"
EDIT = Call("update_file", {"path": "greeting.txt", "edits": [{"old": "hello", "new": "goodbye"}]})
STEP = {"action": "Say goodbye", "files": ["greeting.txt"], "tools_needed": ["update_file"]}
PLAN = Call("write_plan", {"goal": "Say goodbye", "steps": [STEP]})

Answer = Callable[[dict[str, Any], Reword], Say]


@pytest.fixture
def planact(tmp_path: Path) -> Program:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "greeting.txt").write_text("hello\n")
    return Program(folder, home)


def edits(request: dict[str, Any], reword: Reword) -> Say:
    return Say(reword("I can't change it here.")) if turn(request) else Say(calls=[EDIT])


def edits_then_plans(request: dict[str, Any], reword: Reword) -> Say:
    return (Say(calls=[EDIT]), Say(calls=[PLAN]), Say(reword("Here is a plan.")))[min(turn(request), 2)]


def only_talks(_request: dict[str, Any], reword: Reword) -> Say:
    return Say(reword("The greeting says hello."))


def run(planact: Program, answer: Answer, *words: str) -> Ran:
    with RewordingModel(answer) as model:
        model.serve(planact)
        return planact.run(*words, model=MODEL)


@pytest.mark.parametrize(
    ("answer", "words", "code"),
    [
        (edits, ("chat", FIX), 4),
        (edits, ("chat", "The greeting is wrong, it has to say goodbye"), 4),
        (edits, ("chat", "What does greeting.txt say?"), 0),
        (edits_then_plans, ("chat", FIX), 0),
        (only_talks, ("chat", FIX), 1),
        (only_talks, ("chat", "What does greeting.txt say?"), 0),
        (only_talks, ("chat", "Thanks"), 0),
        (only_talks, ("plan", FIX), 1),
        (edits, ("plan", FIX), 1),
    ],
)
def test_in_plan_0_means_a_plan_or_an_answer(
    planact: Program, answer: Answer, words: tuple[str, ...], code: int
) -> None:
    ran = run(planact, answer, *words)
    assert (ran.code, planact.greeting) == (code, "hello\n"), ran
    if words[0] == "chat":
        offers = ("Make a plan: planact plan -- ", "Switch to Act: planact chat --session ")
        assert [offer in ran.err for offer in offers] == [bool(code)] * 2, ran


@pytest.mark.parametrize(
    ("answer", "said", "code", "status"),
    [
        (edits, FIX, 0, "success"),
        (only_talks, FIX, 1, "nothing_done"),
        (only_talks, "What does greeting.txt say?", 0, "success"),
        (only_talks, "Write me a short poem about it", 0, "success"),
    ],
)
def test_in_act_a_request_without_a_change_is_nothing_done(
    planact: Program, answer: Answer, said: str, code: int, status: str
) -> None:
    ran = run(planact, answer, "chat", said, "--mode", "act", "--accept-all", "--json")
    assert (ran.code, ran.json["execution"]["status"]) == (code, status), ran
    record = planact.run("executions", "show", ran.json["execution"]["id"], "--json").json
    assert record["status"] == status
    (ended,) = [
        event
        for line in planact.run("events", "--json-lines").out.splitlines()
        if (event := json.loads(line))["kind"] == "execution_finished"
    ]
    assert ended["data"]["status"] == status


def test_in_act_a_change_that_the_user_rejects_is_told_as_a_refusal(planact: Program, tmp_path: Path) -> None:
    (tmp_path / "answers.yaml").write_text("- match: ^approval$\n  answer: reject_once\n")
    words = ("chat", FIX, "--mode", "act", "--answers", str(tmp_path / "answers.yaml"), "--json")
    ran = run(planact, edits, *words)
    assert (ran.code, ran.json["status"], ran.json["execution"]["status"]) == (4, "refused", "nothing_done"), ran
    assert planact.greeting == "hello\n"


def test_work_that_goes_on_after_a_change_has_something_done(planact: Program) -> None:
    question = {"questions": [{"name": "shade", "question": "Which shade?"}]}

    def answer(request: dict[str, Any], reword: Reword) -> Say:
        assert "ACT mode" in system(request) or "Act" in system(request)
        calls = (EDIT, Call("ask_user", question))
        return Say(calls=[calls[turn(request)]]) if turn(request) < 2 else Say(reword("Done."))

    ran = run(planact, answer, "chat", FIX, "--mode", "act", "--accept-all", "--json")
    assert ran.code == 3, ran
    planact.run("answer", ran.json["waiting"]["question_id"], "blue")
    ran = run(planact, only_talks, "chat", "go on", "--continue", "--accept-all", "--json")
    assert (ran.code, ran.json["execution"]["status"], planact.greeting) == (0, "success", "goodbye\n"), ran
