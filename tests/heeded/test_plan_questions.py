"""The questions before a plan is carried out name goal, steps, files, commands and risks in at most eight lines."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program
from tests.fakes.loopback_model import Call, LoopbackModel, Say, results

STEPS = [
    {"action": f"Change part {number}", "files": [f"part_{number}.txt"], "tools_needed": ["update_file", "create_file"]}
    for number in range(1, 12)
]
STEPS[0]["validation_checks"] = ["grep -q hello greeting.txt"]
PLAN = {"goal": "Change every part", "steps": STEPS, "risks": ["Parts may be used elsewhere", "It takes long"]}
NAMED = (
    "Change every part",
    "Change part 1",
    "part_1.txt",
    "grep -q hello greeting.txt",
    "Parts may be used elsewhere",
)


@pytest.fixture
def planact(tmp_path: Path) -> Program:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "greeting.txt").write_text("hello\n")
    return Program(folder, home, {"OPENAI_API_KEY": "sk-test"})


def answer(request: dict[str, Any]) -> Say:
    written = results(request, "write_plan")
    if not written:
        return Say(calls=[Call("write_plan", PLAN)])
    if "Offer it" in str(request["messages"]) and not results(request, "exit_plan_mode"):
        path = next(word for word in written[0].split() if word.endswith((".plan", ".plan.")))
        return Say(calls=[Call("exit_plan_mode", {"plan_file_path": path.rstrip(".")})])
    return Say("There is a plan.")


@pytest.mark.parametrize("way", ["exit_plan_mode", "act without an id", "intent"])
def test_a_question_about_a_plan_names_what_matters_in_eight_lines(planact: Program, way: str) -> None:
    with LoopbackModel(answer) as model:
        planact.variables["PLANACT_MODEL_ENDPOINT"] = model.url
        if way == "exit_plan_mode":
            asked = planact.run("chat", "/plan Offer it", "--json", model="openai/it")
        else:
            made = planact.run("chat", "/plan Change it", "--json", model="openai/it").json
            words = {"act without an id": ("act",), "intent": ("chat", "Go ahead.", "--session", made["session_id"])}
            asked = planact.run(*words[way], "--json", model="openai/it")
    assert asked.code == 3
    (open_question,) = planact.run("questions", "--json").json["questions"]
    (question,) = open_question["questions"]
    lines = [question["question"], *question["context"].splitlines()]
    assert len(lines) <= 8, lines
    assert [part for part in NAMED if part not in "\n".join(lines)] == []
