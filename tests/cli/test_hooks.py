"""Hooks with the real program: whose settings count, and what holds them in a folder that nobody trusts."""

from pathlib import Path

import pytest

from tests.cli.program import Program

NOTE = 'echo "$PLANACT_HOOK $PLANACT_STEP $PLANACT_STATUS" >> noted.txt'


def config(folder: Path, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(text)


def noted(planact: Program) -> list[str]:
    file = planact.folder / "noted.txt"
    return file.read_text().splitlines() if file.exists() else []


def test_those_in_the_users_file_run(planact: Program) -> None:
    config(planact.home / ".config" / "planact", f"[hooks]\nbeforeStep = ['{NOTE}']\nafterExecution = ['{NOTE}']\n")
    planact.run("trust")
    planact.plan()
    assert planact.run("act", "--yes").code == 0
    assert noted(planact) == ["beforeStep 1 ", "beforeStep 2 ", "afterExecution  success"]


@pytest.mark.parametrize("is_trusted", [False, True])
def test_those_of_a_repository_never_run_not_even_when_it_is_trusted(planact: Program, is_trusted: bool) -> None:
    config(planact.folder / ".planact", f"[hooks]\nbeforeStep = ['{NOTE}']\nbeforePlan = ['{NOTE}']\n")
    if is_trusted:
        assert planact.run("trust").code == 0
    planact.plan()
    ran = planact.run("act", "--yes")
    assert (ran.code, noted(planact)) == (0, [])
    assert "hooks.beforeStep in" in ran.err
    assert "only you may set it" in ran.err


def test_what_the_users_hook_starts_of_a_repository_changes_nothing_in_plan(planact: Program) -> None:
    (planact.folder / "check.sh").write_text("touch made ../outside && echo done\n")
    planact.run("trust")
    planact.variables["PLANACT_HOOKS_BEFORE_PLAN"] = '["sh check.sh"]'
    ran = planact.run("plan", "Greet again", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "HOOK_FAILED"), ran
    assert not (planact.folder / "made").exists()
    assert not (planact.folder.parent / "outside").exists()


def test_what_a_hook_that_failed_said_is_shown(planact: Program) -> None:
    planact.run("trust")
    planact.plan()
    planact.variables["PLANACT_HOOKS_BEFORE_STEP"] = '["echo the tests are red; exit 9"]'
    ran = planact.run("act", "--yes")
    assert (ran.code, "paused" in ran.out, planact.greeting) == (1, True, "hello\n")
    assert "The hook beforeStep `echo the tests are red; exit 9` failed: exit code 9" in ran.err
    assert "the tests are red" in ran.err
