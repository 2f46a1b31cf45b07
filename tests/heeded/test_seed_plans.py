"""A plan as JSON in prose, without `files`, is understood and carried out by the real program, and drawn."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program
from tests.fakes.loopback_model import Call, LoopbackModel, Say, system, turn

STEPS = [
    {
        "step_number": 1,
        "action": "Say goodbye in `greeting.txt`. Don't touch `other.txt`.",
        "reason": "it is late",
        "tools_needed": ["read_file", "update_file"],
        "estimated_time": "~1 second",
    }
]
PLAN = {"type": "plan", "goal": "Say goodbye", "steps": STEPS, "risks": [], "prerequisites": []}
CHANGE = {"path": "greeting.txt", "edits": [{"old": "hello", "new": "goodbye"}]}


@pytest.fixture
def planact(tmp_path: Path) -> Program:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "greeting.txt").write_text("hello\n")
    (folder / "other.txt").write_text("hello\n")
    return Program(folder, home, {"OPENAI_API_KEY": "sk-test"})


def model(changed: str, version: str = "1.0") -> LoopbackModel:
    """A model that writes its plan into its text, and changes a file in Act."""
    prose = f"Here is what I would do:\n\n{json.dumps(PLAN | {'format_version': version}, indent=2)}\n\nShall I?"

    def answer(request: dict[str, Any]) -> Say:
        if "PLAN mode" in system(request):
            return Say(prose if turn(request) == 0 else "Have a look at it.")
        return Say(calls=[Call("update_file", CHANGE | {"path": changed})]) if turn(request) == 0 else Say("Done.")

    return LoopbackModel(answer)


def test_its_json_is_a_plan_and_is_not_shown(planact: Program) -> None:
    with model("greeting.txt") as server:
        planact.variables |= {"PLANACT_MODEL_ENDPOINT": server.url}
        made = planact.run("plan", "Say goodbye", model="openai/it")
    assert made.code == 0
    assert "Here is what I would do" in made.err + made.out
    assert "step_number" not in made.err + made.out


@pytest.mark.parametrize(("changed", "code"), [("greeting.txt", 0), ("other.txt", 3)])
def test_the_file_that_it_means_changes_without_a_question_and_the_other_does_not(
    planact: Program, changed: str, code: int
) -> None:
    with model(changed) as server:
        planact.variables |= {"PLANACT_MODEL_ENDPOINT": server.url}
        plan_id = planact.run("plan", "Say goodbye", "--json", model="openai/it").json["plan_id"]
        assert planact.run("act", plan_id, "--yes", model="openai/it").code == code
    assert (planact.folder / changed).read_text() == ("hello\n" if code else "goodbye\n")


def test_a_version_that_nobody_knows_is_refused_by_its_name(planact: Program) -> None:
    with model("greeting.txt", version="7.5") as server:
        planact.variables |= {"PLANACT_MODEL_ENDPOINT": server.url}
        made = planact.run("plan", "Say goodbye", model="openai/it")
        said = json.dumps([request.json for request in server.requests])
    assert made.code == 1
    assert "format_version '7.5' is not supported" in said
    assert "format_version '7.5' is not supported" in made.err


def test_a_plan_is_drawn(planact: Program) -> None:
    (planact.folder / "x.plan").write_text("# Greet\n\n## Steps\n- [ ] 1. Change `greeting.txt`\n  - check: `true`\n")
    drawn = planact.run("plan", "show", "x.plan", "--diagram").out
    assert drawn.startswith('flowchart TD\n  goal(["Greet"])\n')
    assert '  f1[/"greeting.txt"/]\n' in drawn
    assert '{{"true"}}' in drawn
