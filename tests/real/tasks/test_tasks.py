"""A good model's mistakes on real packages: it is told of them at once, and repairs them without the user."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.real.tasks.driver import Done, do
from tests.real.tasks.good_model import EDITING
from tests.real.tasks.task import Task
from tests.real.tasks.tasks import QUESTION, SDS, SDS_HEADER, TASKS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

_NO_NEW_ERRORS = [("diagnostics", True)]
"""The check of a step's end by the language server."""


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_mistake_is_told_at_once_and_repaired_without_the_user(task: Task, tmp_path: Path) -> None:
    done = do(task, tmp_path)
    assert done.questions == ({"agent": 1} if task.question[0] else {})
    assert done.texts == task.done(done.before)
    assert done.is_stable
    assert {mode: len(done.in_mode(mode)) > 1 for mode in ("plan", "act")} == {"plan": True, "act": True}
    assert_record_tells(task, done)


def test_a_mistake_that_the_model_passes_over_is_found_at_the_end_of_the_step(tmp_path: Path) -> None:
    task = replace(QUESTION, check=f"grep -q {QUESTION.question[1]} {SDS_HEADER}")  # which doesn't find it
    done = do(task, tmp_path, is_careless=True)
    assert done.texts == task.done(done.before)
    assert (done.questions, done.told_by, done.is_stable) == ({"agent": 1}, ["message"], True)
    (step,) = done.run["steps"]
    assert [(check["command"], check["passed"]) for check in step["checks"]] == [(task.check, True), *_NO_NEW_ERRORS]
    (repair,) = step["repairs"]
    assert (repair["check"]["kind"], repair["check"]["passed"], repair["files"]) == ("diagnostics", False, [SDS])
    assert {file["path"]: file["new"] for file in repair["check"]["errors"]}[SDS] == 1
    assert any(words in repair["check"]["output"] for words in task.told)


def assert_record_tells(task: Task, done: Done) -> None:
    """The run's record has the edits with the one that repaired, the checks, and what was repaired after one."""
    assert done.run["status"] == "success"
    (step,) = done.run["steps"]
    assert (step["status"], step["attempt"]) == ("done", 1)
    assert [(check["command"], check["passed"]) for check in step["checks"]] == [(task.check, True), *_NO_NEW_ERRORS]
    assert {change["path"] for change in step["files"]} == {*task.files}
    assert [each["tool"] for each in step["evidence"] if each["tool"] in EDITING] == task.edits
    if task.told_by == "edit":  # a server that takes its time says it right after
        assert done.told_by in (["own result"], ["later result"])
        assert step["repairs"] == []
        return
    assert done.told_by == ["message"]
    ((number, check, files),) = [(each["number"], each["check"], each["files"]) for each in step["repairs"]]
    assert (number, check["command"], check["passed"], files) == (1, task.check, False, [*task.files])
    assert any(words in check["output"] for words in task.told)
    assert "; 1 repair; check passed: " in done.shown
