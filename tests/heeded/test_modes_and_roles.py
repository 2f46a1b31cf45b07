"""What the user says of modes, roles and finished plans holds, and what has no effect is said so."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program
from tests.fakes.loopback_model import Call, LoopbackModel, Say, last_user, plan_in, system, turn


@pytest.fixture
def planact(tmp_path: Path) -> Program:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "greeting.txt").write_text("hello\n")
    return Program(folder, home, {"OPENAI_API_KEY": "sk-test"})


def test_acceptall_in_plan_says_that_it_changes_nothing(planact: Program) -> None:
    assert "acceptall changes nothing in Plan." in planact.run("chat", "/acceptall").out
    assert "acceptall changes nothing in Plan." in planact.run("chat", "/plan acceptall Greet again").err


def test_the_indexes_say_when_they_were_last_used(planact: Program) -> None:
    plan_id = planact.plan()
    assert planact.run("act", plan_id, "--yes").code == 0
    for name in ("plans", "executions"):
        index = json.loads((planact.folder / f".planact/{name}/index.json").read_text())
        assert index["last_accessed"] >= index[name][0].get("created_at", index[name][0].get("timestamp", ""))


def test_a_plan_that_has_ended_is_not_pinned_as_approved_any_more(planact: Program) -> None:
    step = {"action": "Say goodbye", "files": ["greeting.txt"], "tools_needed": ["update_file"]}
    edits = [{"old": "hello", "new": "goodbye"}]

    def answer(request: dict[str, Any]) -> Say:
        if turn(request):
            return Say("Done.")
        if "PLAN mode" in system(request):
            return Say(calls=[Call("write_plan", {"goal": "Say goodbye", "steps": [step]})])
        if "What next" in last_user(request):
            return Say("Nothing.")
        return Say(calls=[Call("update_file", {"path": "greeting.txt", "edits": edits})])

    with LoopbackModel(answer) as model:
        planact.variables |= {"PLANACT_MODEL_ENDPOINT": model.url}
        made = planact.run("plan", "Say goodbye", "--json", model="openai/it").json
        assert planact.run("act", made["plan_id"], "--yes", model="openai/it").code == 0
        carrying_out = [request.json for request in model.requests]
        (session, *_) = planact.run("sessions", "--json").json["sessions"]
        words = ("chat", "What next?", "--mode", "act", "--session", session["id"])
        planact.run(*words, model="openai/it")
        later = [request.json for request in model.requests][len(carrying_out) :]
    assert any(map(plan_in, carrying_out))
    assert later
    assert not any(map(plan_in, later))


def test_a_role_chosen_by_one_command_is_kept_in_the_session_that_it_names(planact: Program) -> None:
    chosen = planact.run("chat", "/role commander", "--json")
    session = chosen.json["session_id"]
    assert chosen.code == 0
    assert f"planact chat --session {session}" in planact.run("chat", "/role commander", "--session", session).err
    assert "- commander (at work)" in planact.run("chat", "/role", "--continue").out


FIX = "Fix the typo in greeting.txt"


def answer_by_mode(request: dict[str, Any]) -> Say:
    if turn(request):
        return Say("Done.")
    if "PLAN mode" in system(request):
        return Say("I would plan it.")
    return Say(calls=[Call("update_file", {"path": "greeting.txt", "edits": [{"old": "hello", "new": "hallo"}]})])


@pytest.mark.parametrize(
    ("setting", "said", "answer", "expected"),
    [
        ("auto", FIX, "Do it in Act", "hallo\n"),
        ("auto", FIX, "Plan first", "hello\n"),
        ("auto", FIX, "", "hello\n"),
        ("auto", "Fix the typo in nonesuch.txt", "Do it in Act", "hello\n"),
        ("auto", "Refactor all of greeting.txt", "Do it in Act", "hello\n"),
        ("plan", FIX, "Do it in Act", "hello\n"),
    ],
)
def test_start_mode_auto_offers_act_for_a_small_clear_fix(
    planact: Program, tmp_path: Path, setting: str, said: str, answer: str, expected: str
) -> None:
    entries = [{"match": "^act$", "answer": answer}] if answer else []
    (tmp_path / "answers.yaml").write_text(json.dumps(entries))
    planact.variables["PLANACT_START_MODE"] = setting
    with LoopbackModel(answer_by_mode) as model:
        planact.variables["PLANACT_MODEL_ENDPOINT"] = model.url
        words = ("chat", said, "--accept-all", "--answers", str(tmp_path / "answers.yaml"))
        ran = planact.run(*words, model="openai/it")
    assert (planact.greeting, ran.code) == (expected, 0 if expected == "hallo\n" else 1), ran
    assert planact.run("questions", "--json").json["questions"] == []
