"""Checks that fail before the first step are told apart from what the run broke."""

from pathlib import Path

import pytest

from planact.model.notice import ExecutionProgress
from planact.model.rights.permission import Mode
from planact.model.runs.execution import CheckResult, Execution
from planact.model.settings import Settings
from planact.workflows.history.journal_queries import rebuild_execution
from planact.workflows.history.report import report, summary
from planact.workflows.runs.checks.check_before import failed_alike_before
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import PLAN, SAID, WRITE_A, WRITE_B, Scene

OLD = "sed 's/^/old: /' other.txt; exit 3"
OTHER = PLAN.replace("`test -f b.txt`", f"`{OLD}`")
BREAK = calls(
    call("create_file", path="b.txt", content="bye\n"),
    call("update_file", path="other.txt", edits=[{"old": "failure", "new": "other failure"}]),
)


def scene(root: Path, *turns: Turn, text: str = OTHER, before: str = "on", repairs: int = 3) -> Scene:
    settings = {"model": "played", "checks": {"before": before}, "limits": {"repairs": repairs}}
    made = Scene(root, *turns, settings=Settings.model_validate(settings))
    made.world.write("other.txt", "1 failure in 0.1s\n")
    made.write_plan(text)
    if "contain" not in made.ws.ports.runner.enforced():
        pytest.skip("no jail here contains an unknown command")
    return made


def failed_before(execution: Execution) -> list[str]:
    return [check.command for check in execution.checks_before]


def checks(execution: Execution, step: int) -> list[tuple[str, bool, bool]]:
    found = execution.steps[step].checks
    return [(check.command, check.passed, check.failed_before) for check in found]


def test_what_failed_alike_before_is_not_held_against_the_step_that_leaves_it(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, WRITE_B, SAID, SAID)
    execution = it.execute()
    assert (execution.status, it.marks(), failed_before(execution)) == ("success", "xx", ["grep -q hello a.txt", OLD])
    assert checks(execution, 0) == [("grep -q hello a.txt", True, False)]
    assert checks(execution, 1) == [(OLD, False, True)]
    told = str(it.world.model.requests[4].messages[-1]["content"])
    assert "It failed alike before the run." in told
    [notice] = [
        each.text
        for each in it.world.editor.notices
        if isinstance(each, ExecutionProgress) and "held against" in each.text
    ]
    assert notice == f"Step 2: The check `{OLD}` fails as it did before the run, which isn't held against the step"
    assert f"check failed as before the run: {OLD}" in summary(execution)
    assert "- Failed before the first step:" in report(execution)


def test_the_model_and_the_user_hear_of_it_before_the_first_step_and_the_record_keeps_it(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, WRITE_B, SAID, SAID)
    execution = it.execute()
    first = [str(message["content"]) for message in it.world.model.requests[0].messages]
    assert any("Before the first step, these checks fail already: `grep -q hello a.txt`" in text for text in first)
    [begun] = it.ws.ports.journal.runs()
    assert rebuild_execution(it.ws, begun).checks_before == execution.checks_before
    assert [record.execution_id for record in it.ws.ports.journal.read(execution.id, ("checked_before",))]


def test_they_run_as_in_plan_and_change_nothing(tmp_path: Path) -> None:
    text = OTHER.replace(OLD, 'python3 -c \'open("made.txt", "w")\'')
    it = scene(tmp_path, WRITE_A, SAID, text=text)
    seen: list[bool] = []
    it.world.model.turns[0] = lambda _: seen.append((tmp_path / "made.txt").exists()) or WRITE_A  # type: ignore[func-returns-value]
    it.execute(step=1)
    assert (seen, it.session.mode) == ([False], Mode.ACT)


def test_what_changes_something_is_not_run_before(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, text=OTHER.replace(OLD, "touch made.txt; exit 3"))
    execution = it.execute(step=1)
    [entry] = it.ws.ports.journal.read(execution.id, ("checked_before",))
    assert entry.data["ran"] == ["grep -q hello a.txt"]
    assert it.asked == []


def test_another_failure_than_before_is_held_against_the_step(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, calls(call("read_file", path="other.txt")), BREAK, SAID, SAID)
    it.answers(answer(approval="allow_once"))
    execution = it.execute()
    assert (execution.status, execution.reason) == (
        "partial_success",
        f"the check `{OLD}` ended with 3 after 1 repair",
    )


def test_a_repair_that_was_tried_in_vain_is_the_users(tmp_path: Path) -> None:
    edit = calls(call("update_file", path="b.txt", edits=[{"old": "bye", "new": "good bye"}]))
    it = scene(tmp_path, WRITE_A, SAID, WRITE_B, SAID, edit, SAID, repairs=1)
    execution = it.execute()
    assert (execution.status, execution.reason) == (
        "partial_success",
        f"the check `{OLD}` ended with 3 after 1 repair",
    )


def test_without_repairs_it_is_not_held_against_the_step_either(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, WRITE_B, SAID, repairs=0)
    assert it.execute().status == "success"


def test_a_check_that_failed_before_is_no_evidence(tmp_path: Path) -> None:
    text = OTHER.replace("grep -q hello a.txt", OLD)
    it = scene(tmp_path, SAID, SAID, text=text)
    execution = it.execute()
    assert execution.reason == "nothing was done: no tool call succeeded, and no check passed"


@pytest.mark.parametrize(("before", "expected"), [("off", []), ("auto", [])])
def test_none_run_where_the_setting_or_ignorance_says_so(tmp_path: Path, before: str, expected: list[str]) -> None:
    it = scene(tmp_path, WRITE_A, SAID, WRITE_B, SAID, SAID, before=before)
    execution = it.execute()
    assert (execution.status, failed_before(execution)) == ("partial_success", expected)


def test_auto_runs_those_that_an_earlier_run_has_shown_to_be_quick(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, WRITE_B, SAID, SAID, SAID, SAID, before="auto")
    assert it.execute().status == "partial_success"
    again = it.execute()
    assert failed_before(again) == [OLD]


# --- outside of the step's files


def failure(output: str, command: str = "make test") -> CheckResult:
    return CheckResult(command=command, exit_code=1, output=output, passed=False)


@pytest.mark.parametrize(
    ("failed", "expected"),
    [
        (failure("tests/other.py:3: boom in 0.1s"), True),
        (failure("src/mine.py:3: boom in 0.1s"), False),
        (failure("boom in 0.1s", "python src/mine.py"), False),
        (failure(""), False),
        (failure("\n"), False),
    ],
)
def test_only_what_prints_something_and_names_none_of_the_steps_files_is_outside(
    failed: CheckResult, *, expected: bool
) -> None:
    before = failed.model_copy(update={"output": failed.output.replace("0.1", "0.7")})
    assert failed_alike_before(failed, [before], {"src/mine.py"}) is expected
    assert not failed_alike_before(failed, [], {"src/mine.py"})
