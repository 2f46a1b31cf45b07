"""`planact demo`: everything it claims really happens."""

import os
import sys
from pathlib import Path

import pytest

from tests.cli.program import Program


def test_the_demo_shows_it_all_and_leaves_nothing(planact: Program, tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    planact.variables["TMPDIR"] = str(temporary)
    ran = planact.run("demo", model="")
    assert ran.code == 0, ran
    assert "⊘ update_file bookshelf/report.py: " in ran.err
    assert "[TOOL_BLOCKED_BY_MODE]" in ran.err
    assert "→ Four weeks (from the answers file)" in ran.err
    assert "+OVERDUE_AFTER = 28" in ran.out
    assert "check passed: python3 -m unittest -q tests.test_report" in ran.out
    assert "export PLANACT_MODEL=" in ran.err
    left = [path for folder in (planact.home, temporary) for path in folder.rglob("*") if not path.is_dir()]
    assert left == []


@pytest.mark.parametrize("is_found", [True, False])
def test_where_the_command_is_not_on_the_path_the_demo_says_how_to_put_it_there(
    planact: Program, is_found: bool
) -> None:
    programs = str(Path(sys.executable).parent)
    others = [each for each in os.environ["PATH"].split(os.pathsep) if not (Path(each) / "planact").exists()]
    planact.variables["PATH"] = os.pathsep.join([programs, *others] if is_found else others)
    ran = planact.run("demo", model="")
    assert (ran.code, f'export PATH="{programs}:$PATH"' in ran.err) == (0, not is_found), ran


def test_the_project_can_be_kept_and_worked_on(planact: Program, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    ran = planact.run("demo", "--keep", str(folder), "--json", model="")
    assert (ran.code, ran.json["refusals"], ran.json["execution"]["status"]) == (0, ["TOOL_BLOCKED_BY_MODE"], "success")
    assert (folder / ran.json["execution"]["record"]).is_file()
    assert "is_overdue" in (folder / "bookshelf" / "loans.py").read_text()
    assert planact.run("plan", "list", "--cwd", str(folder), "--json").json["plans"][0]["status"] == "done"
    again = planact.run("demo", "--keep", str(folder))
    assert (again.code, "[FILE_EXISTS]" in again.err) == (1, True)


@pytest.mark.parametrize(
    ("answers", "code"),
    [("[]", 3), ("- {match: Execute, answer: Cancel}", 1), ("- {match: Execute, answer: true}", 3)],
)
def test_other_answers_lead_elsewhere(planact: Program, answers: str, code: int) -> None:
    (planact.folder / "answers.yaml").write_text(answers)
    ran = planact.run("demo", "--answers", "answers.yaml", model="")
    assert (ran.code, "What next" in ran.err) == (code, False), ran


def test_who_declines_the_question_sees_the_agent_decide(planact: Program) -> None:
    answers = "[{match: Execute, answer: Execute Plan}, {match: days, decline: true}]"
    (planact.folder / "answers.yaml").write_text(answers)
    ran = planact.run("demo", "--answers", "answers.yaml", model="")
    assert (ran.code, "+OVERDUE_AFTER = 28" in ran.out) == (0, True), ran


def test_the_users_own_models_are_not_asked(planact: Program) -> None:
    planact.variables |= {"PLANACT_PLANNER_MODEL": "openai/gpt-4o", "PLANACT_ACTOR_MODEL": "openai/gpt-4o"}
    assert planact.run("demo", model="openai/gpt-4o").code == 0
