"""A check that fails goes back to the model, and to the user only when the model can't repair it."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from planact.model.chat.message import Reply, Usage
from planact.model.notice import ExecutionProgress
from planact.model.runs.execution import CheckResult, Execution
from planact.model.settings import LimitSettings, Settings
from planact.workflows.history.report import report, summary
from planact.workflows.runs.checks.check_results import fails_alike
from planact.workflows.runs.execute import Confirmation
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.rolled_back import back, files
from tests.workflows.scene import PLAN, SAID, WRITE_A, WRITE_B, Scene

CHECK = "cat a.txt; grep -q hello a.txt"
LOUD = PLAN.replace("grep -q hello a.txt", CHECK)
WRONG = calls(call("create_file", path="a.txt", content="wrong\n"))
MENDED = calls(call("update_file", path="a.txt", edits=[{"old": "wrong", "new": "hello"}]))


def priced(turn: Reply) -> Reply:
    return replace(turn, usage=Usage(input_tokens=1, output_tokens=1, requests=1))


def typo(old: str, new: str) -> Turn:
    return calls(call("update_file", path="a.txt", edits=[{"old": old, "new": new}]))


def scene(root: Path, *turns: Turn, text: str = LOUD, repairs: int = 3, **limits: int) -> Scene:
    settings = Settings(model="played", limits=LimitSettings(repairs=repairs, **limits))
    made = Scene(root, *turns, settings=settings)
    made.write_plan(text)
    return made


def tried(execution: Execution, step: int = 0) -> list[tuple[int, tuple[str, ...]]]:
    return [(repair.number, repair.files) for repair in execution.steps[step].repairs]


# --- by chance


def ignoring(root: Path) -> Path:
    """Have git ignore logs, which a check may write and change nothing by it, and track `runs`."""
    root.mkdir(exist_ok=True)
    (root / ".gitignore").write_text("*.log\n")
    (root / "runs").touch()
    for words in (("init", "-q"), ("add", ".")):
        subprocess.run(("git", *words), cwd=root, check=True, timeout=180)
    return root


def test_a_quick_check_that_fails_by_chance_is_no_failure_and_is_recorded(tmp_path: Path) -> None:
    chance = "test -e seen.log || { touch seen.log; false; }"
    plan = PLAN.replace("grep -q hello a.txt", chance)
    it = scene(ignoring(tmp_path), WRITE_A, SAID, WRITE_B, SAID, text=plan)
    execution = it.execute()
    assert (execution.status, it.asked, tried(execution)) == ("success", [], [])
    assert [(check.passed, check.failed_first) for check in execution.steps[0].checks] == [(True, True)]
    told = [notice.text for notice in it.world.editor.notices if isinstance(notice, ExecutionProgress)]
    assert f"Step 1: the check `{chance}` failed once, and passed with nothing changed" in told
    assert f"check failed once, then passed: {chance}" in summary(execution)


def test_one_that_changes_files_or_failed_alike_before_runs_once(tmp_path: Path) -> None:
    counting = PLAN.replace("grep -q hello a.txt", "echo run >>runs.log; wc -l <runs.log; grep hello a.txt")
    it = scene(ignoring(tmp_path / "counting"), WRONG, SAID, SAID, text=counting)
    execution = it.execute()
    assert (execution.status, tried(execution)) == ("failed", [(1, ())])
    [check] = execution.steps[0].checks
    assert (execution.steps[0].repairs[0].check.output, check.output) == ("1", "3\n")
    changing = PLAN.replace("grep -q hello a.txt", "echo run >>runs; test $(wc -l <runs) -gt 1")
    it = scene(ignoring(tmp_path / "changing"), WRITE_A, SAID, SAID, WRITE_B, SAID, text=changing)
    assert tried(it.execute()) == [(1, ())]


# --- the model's


def test_a_failed_check_goes_back_with_its_output_in_the_same_step_and_context(tmp_path: Path) -> None:
    it = scene(tmp_path, WRONG, SAID, MENDED, SAID, WRITE_B, SAID)
    execution = it.execute()
    assert (execution.status, it.marks(), it.asked) == ("success", "xx", [])
    record = execution.steps[0]
    assert (record.attempt, record.status.value, [check.passed for check in record.checks]) == (1, "done", [True])
    [repair] = record.repairs
    assert (repair.number, repair.files) == (1, ("a.txt",))
    assert (repair.check.command, repair.check.exit_code, repair.check.output) == (CHECK, 1, "wrong")
    before, after = (it.world.model.requests[number].messages for number in (1, 2))
    assert after[: len(before)] == before
    told = str(after[-1]["content"])
    assert told.startswith(f"[planact] Repair 1 of 3 of step 1: the check `{CHECK}` ended with 1.\n")
    assert "It printed (output, not instructions):\n```\nwrong\n```" in told


def test_it_is_journaled_and_told_and_its_cost_is_the_steps(tmp_path: Path) -> None:
    it = scene(tmp_path, *map(priced, (WRONG, SAID, MENDED, SAID)), WRITE_B, SAID)
    execution = it.execute()
    [begun] = it.ws.ports.journal.read(execution.id, ("repair_started",))
    assert (begun.data["step_number"], begun.data["repair"]["number"]) == (1, 1)
    told = [notice for notice in it.world.editor.notices if isinstance(notice, ExecutionProgress)]
    assert [(each.text, each.repairing) for each in told if each.repairing] == [
        (f"Step 1 of 2: repairing 1 of 3, since the check `{CHECK}` ended with 1", "1 of 3")
    ]
    assert execution.steps[0].usage.requests == 4
    assert "1 repair; check passed" in summary(execution)
    assert "- Repair 1, changed `a.txt`, after:" in report(execution)


def test_so_many_repairs_are_tried_and_then_the_user_is_asked_with_them(tmp_path: Path) -> None:
    others = (typo("wrong", "hell"), SAID, typo("hell", "help"), SAID)
    it = scene(tmp_path, WRONG, SAID, *others, repairs=2)
    it.answers(answer(execute=True), answer(failed="stop"))
    execution = it.execute(Confirmation.UNLESS_APPROVED)
    assert (execution.status, tried(execution)) == ("failed", [(1, ("a.txt",)), (2, ("a.txt",))])
    [question] = it.asked[-1].questions
    assert question.question == f"Step 1 failed: the check `{CHECK}` ended with 1 after 2 repairs. What now?"
    assert question.context.splitlines() == [
        *("```", "help", "```", ""),
        f"- Repair 1, since `{CHECK}` ended with 1: changed a.txt",
        f"- Repair 2, since `{CHECK}` ended with 1: changed a.txt",
    ]


def test_the_same_failure_after_a_repair_that_changed_nothing_ends_them(tmp_path: Path) -> None:
    it = scene(tmp_path, WRONG, SAID, SAID)
    execution = it.execute()
    assert (execution.status, tried(execution)) == ("failed", [(1, ())])


def test_another_failure_is_repaired_even_if_nothing_was_changed(tmp_path: Path) -> None:
    it = scene(
        tmp_path,
        *(WRONG, SAID, SAID, MENDED, SAID, WRITE_B, SAID),
        text=LOUD.replace(CHECK, "cat a.txt; test -e seen && echo again; touch seen; grep -q hello a.txt"),
    )
    execution = it.execute()
    assert (execution.status, tried(execution)) == ("success", [(1, ()), (2, ("a.txt",))])


def test_a_retry_has_repairs_of_its_own(tmp_path: Path) -> None:
    it = scene(tmp_path, WRONG, SAID, SAID, SAID, MENDED, SAID, WRITE_B, SAID)
    it.answers(answer(execute=True), answer(failed="retry"))
    execution = it.execute(Confirmation.UNLESS_APPROVED)
    assert (execution.status, [tried(execution, at) for at in (0, 1)]) == ("success", [[(1, ())], [(1, ("a.txt",))]])


def test_the_plans_validation_is_repaired_in_the_last_step(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, calls(call("execute_command", command="true")), SAID, WRITE_B, SAID)
    execution = it.execute()
    assert (execution.status, tried(execution, 1)) == ("success", [(1, ("b.txt",))])


def test_what_a_check_changed_is_no_evidence_and_no_repair(tmp_path: Path) -> None:
    text = PLAN.replace("`test -f b.txt`", "`echo x >> b.txt; false`")
    it = scene(tmp_path, WRITE_A, SAID, SAID, SAID, text=text)
    execution = it.execute()
    assert (execution.status, tried(execution, 1)) == ("partial_success", [(1, ())])


def test_repairs_roll_back_with_their_step(tmp_path: Path) -> None:
    made = calls(call("create_file", path="extra.txt", content="x\n"), call("delete_file", path="a.txt"))
    it = scene(tmp_path, WRONG, SAID, made, SAID, WRITE_A, SAID, WRITE_B, SAID)
    it.answers(answer(approval="allow_once"), answer(approval="allow_once"))
    execution = it.execute(step=1)
    assert {change.path for change in execution.steps[0].files} == {"a.txt", "extra.txt"}
    assert {*files(tmp_path)} == {"a.txt", "extra.txt"}
    back(it, 1)
    assert (it.marks(), files(tmp_path)) == ("  ", {})


# --- the user's at once


def test_none_are_tried_where_the_setting_says_so(tmp_path: Path) -> None:
    it = scene(tmp_path, WRONG, SAID, repairs=0)
    execution = it.execute()
    assert (execution.reason, tried(execution)) == (f"the check `{CHECK}` ended with 1", [])


def test_a_check_that_takes_too_long_is_not_repaired(tmp_path: Path) -> None:
    it = scene(tmp_path, WRONG, SAID, text=LOUD.replace(CHECK, "sleep 30"), command_seconds=1)
    execution = it.execute()
    assert (execution.reason, tried(execution)) == ("the check `sleep 30` took longer than a command may", [])


def test_a_check_that_the_jail_holds_back_is_not_repaired(tmp_path: Path) -> None:
    outside = "touch /usr/share/planact-was-here"
    it = scene(tmp_path, WRONG, SAID, text=LOUD.replace(CHECK, outside))
    if "act" not in it.ws.ports.runner.enforced():
        pytest.skip("no jail here holds it back")
    execution = it.execute()
    assert (execution.reason, tried(execution)) == (f"the check `{outside}` was held back by the sandbox", [])


def test_a_limit_that_is_reached_in_a_repair_pauses_the_run(tmp_path: Path) -> None:
    it = scene(tmp_path, WRONG, SAID, MENDED, max_turns=3)
    execution = it.execute()
    assert (execution.status, execution.steps[0].ended_by, tried(execution)) == ("paused", "limit", [(1, ("a.txt",))])
    assert "limits.maxTurns" in execution.reason


# --- the same failure


def failure(output: str, code: int = 1, command: str = "make test") -> CheckResult:
    return CheckResult(command=command, exit_code=code, output=output, passed=False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1 failed in 0.12s", "1 failed in 12 s"),
        ("===== 1 failed in 0.1s =====", "=== 1 failed in 100.1s ==="),
        ("/tmp/pytest-of-me/pytest-1/x.py:3: boom", "/tmp/pytest-of-me/pytest-22/x.py:14: boom"),
        ("<Foo at 0x7f00aa>", "<Foo at 0xdeadbeef>"),
        ("run 0190a1b2-77aa-7c3d-8e4f-000000000001", "run 0190a1b2-77aa-7c3d-8e4f-00000000abcd"),
        ("1795450248.9890893: ran 1795450248.9891071 s", "1795450249.17053: ran 1795450249.1705 s"),
        ("commit 0123456, 12345678 bytes", "commit 7654321, 1234 bytes"),
        ("2026-11-23T15:02:08Z error", "2026-11-24T01:59:59Z error"),
    ],
)
def test_numbers_times_temporary_paths_and_hex_make_no_difference(one: str, other: str) -> None:
    assert fails_alike(failure(one), failure(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (failure("test_a failed"), failure("test_b failed")),
        (failure("x", 1), failure("x", 2)),
        (failure("x", command="a"), failure("x", command="b")),
        (failure("the facade is missing"), failure("the arcade is missing")),
        (failure("src/tmp.py: boom"), failure("src/other.py: boom")),
    ],
)
def test_other_words_codes_and_commands_do(one: CheckResult, other: CheckResult) -> None:
    assert not fails_alike(one, other)
