"""A run whose plan and record can't be written any more."""

import asyncio
import errno
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from planact.base.errors import EditFailure, StorageFailure
from planact.model.rights.permission import Mode
from planact.model.runs.change import Change
from planact.model.runs.execution import Execution, FileChange
from planact.model.settings import Settings
from planact.workflows.chat.send_message import send_message
from planact.workflows.history.journal_queries import changed_files
from planact.workflows.undo.roll_back import RollbackTarget, roll_back
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import BOTH_STEPS, PATH, PLAN, SAID, WRITE_A, Scene
from tests.workflows.test_outcomes import GENERATE, make_scene, outcome_questions, run_it


def test_a_step_that_cannot_be_marked_is_not_begun_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its mark would say that it is still to be done, and the next run would carry it out again."""
    it = Scene(tmp_path, *BOTH_STEPS)
    it.write_plan()
    apply, put = it.world.editor.apply, it.ws.ports.records.put_execution

    async def apply_until_full(changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:
        if label == "Mark the plan" and "b.txt" not in it.world.tree() and "step_finished" in kinds():
            raise EditFailure("EDIT_REFUSED", "the plan can't be changed: no space left on device")
        return await apply(changes, label)

    def put_until_full(execution: Execution, **more: bool) -> None:
        if len(execution.steps) == 1 and kinds()[-1] != "step_finished":
            raise StorageFailure("STORAGE_UNWRITABLE", "planact can't use its record: no space left", "Free space.")
        put(execution, **more)

    def kinds() -> list[str]:
        return [entry.kind for entry in it.world.store.journal.entries]

    with monkeypatch.context() as full:
        full.setattr(it.world.editor, "apply", apply_until_full)
        full.setattr(it.ws.ports.records, "put_execution", put_until_full)
        with pytest.raises(StorageFailure):
            it.execute()
    assert "b.txt" not in it.world.tree()


def test_what_the_user_discarded_waits_where_the_disk_is_full_and_nothing_runs_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command on trial can fill the disk, so that what it planted would stay for the check, which has more rights."""
    script = "open('lib.py', 'a').write('evil = 1\\n')\nopen('package.json', 'w').write('{}')"
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), SAID, WRITE_A, SAID, script=script)
    before = (tmp_path / "lib.py").read_text()
    it.answers(answer(outcome="discard"))
    apply = it.world.editor.apply

    async def full(changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:
        if any(change.place.shown == "lib.py" for change in changes):
            cause = OSError(errno.ENOSPC, "No space left on device")
            raise EditFailure("EDIT_REFUSED", "lib.py can't be changed: no space left on device") from cause
        return await apply(changes, label)

    with monkeypatch.context() as patch:
        patch.setattr(it.world.editor, "apply", full)
        run = it.execute(step=1)
    assert not any(record.checks for record in run.steps)
    assert "Free space" in run.reason
    it.execute(step=1)
    assert (tmp_path / "lib.py").read_text() == before
    assert not (tmp_path / "package.json").exists()
    assert len(outcome_questions(it)) == 1


def unmarked(it: Scene, patch: pytest.MonkeyPatch, is_so: Callable[[], bool] = lambda: True) -> None:
    """Let no mark be written into the plan, while that is so."""
    apply = it.world.editor.apply

    async def refuse(changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:
        if label == "Mark the plan" and is_so():
            raise EditFailure("EDIT_REFUSED", "the plan can't be changed: no space left on device")
        return await apply(changes, label)

    patch.setattr(it.world.editor, "apply", refuse)


def test_what_was_done_without_a_mark_is_marked_by_the_next_run_and_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = Scene(tmp_path, *BOTH_STEPS)
    it.write_plan()
    with monkeypatch.context() as full:
        unmarked(it, full)
        it.execute(step=1)
        with pytest.raises(EditFailure, match="would be done again: step 1"):
            it.execute()
    assert it.marks() == "  "
    assert [record.step_number for record in it.execute().steps] == [2]
    assert (it.marks(), it.status(), len(it.world.model.requests)) == ("xx", "done", 4)
    it.world.write(PATH, it.document().file.text.replace("- [x] 1.", "- [ ] 1."))  # the user wants it again
    it.world.model.turns = [calls(call("update_file", path="a.txt", edits=[{"old": "hello", "new": "hello!"}])), SAID]
    assert [record.step_number for record in it.execute().steps] == [1]


def test_a_step_without_a_mark_that_was_rolled_back_is_not_marked_as_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = Scene(tmp_path, *BOTH_STEPS)
    it.write_plan()
    with monkeypatch.context() as full:
        unmarked(it, full)
        ran = it.execute(step=1)
    asyncio.run(roll_back(it.ws, it.session_id, RollbackTarget(ran.id), is_confirmed=True))
    it.world.model.turns = [*BOTH_STEPS]
    assert [record.step_number for record in it.execute().steps] == [1, 2]


def deviating(root: Path) -> Scene:
    """A run that uses a tool that its step doesn't name."""
    checked = calls(call("execute_command", command="grep -q hello a.txt"))
    it = Scene(root, WRITE_A, checked, SAID)
    it.write_plan(PLAN.replace("  - files: a.txt\n", "  - files: a.txt\n  - tools: update_file\n"))
    return it


def test_an_adaptation_that_could_not_be_written_is_written_once_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = deviating(tmp_path)

    def is_between() -> bool:
        kinds = [entry.kind for entry in it.world.store.journal.entries]
        return kinds[-1] == "step_finished"

    unmarked(it, monkeypatch, is_between)
    it.execute(step=1)
    assert (it.marks(), len(it.document().tree.adaptations)) == ("x ", 1)


def test_an_adaptation_is_told_once_where_the_record_of_its_step_could_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = deviating(tmp_path)
    put = it.ws.ports.records.put_execution
    refused: list[str] = []

    def refuse_once(execution: Execution, **more: bool) -> None:
        if execution.steps and not refused:
            refused.append(execution.id)
            raise StorageFailure("STORAGE_UNWRITABLE", "planact can't use its record: no space left", "Free space.")
        put(execution, **more)

    monkeypatch.setattr(it.ws.ports.records, "put_execution", refuse_once)
    with pytest.raises(StorageFailure):
        it.execute(step=1)
    assert (it.marks(), len(it.document().tree.adaptations)) == ("x ", 1)


@pytest.mark.parametrize("step", [None, 2])
def test_a_run_whose_last_step_is_done_counts_as_done_where_its_record_could_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int | None
) -> None:
    it = Scene(tmp_path, *BOTH_STEPS)
    it.write_plan()
    if step:
        it.execute(step=1)
    put = it.ws.ports.records.put_execution
    refused: list[str] = []

    def refuse_once(execution: Execution, **more: bool) -> None:
        if any(record.step_number == 2 for record in execution.steps) and not refused:
            refused.append(execution.id)
            raise StorageFailure("STORAGE_UNWRITABLE", "planact can't use its record: no space left", "Free space.")
        put(execution, **more)

    monkeypatch.setattr(it.ws.ports.records, "put_execution", refuse_once)
    with pytest.raises(StorageFailure):
        it.execute(step=step)
    (run, *_) = it.ws.ports.records.executions()
    assert (it.marks(), it.status(), run.status, run.reason) == ("xx", "done", "success", "")


@pytest.mark.parametrize("has_plan", [True, False])
def test_a_change_that_was_made_and_not_written_down_is_told_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_plan: bool
) -> None:
    settings = Settings(model="played", approval="acceptEdits")
    it = Scene(tmp_path, *BOTH_STEPS, mode=Mode.PLAN if has_plan else Mode.ACT, settings=settings)
    it.write_plan()
    append = it.ws.ports.journal.append
    refused: list[str] = []

    def refuse_once(session_id: str, run_id: str, kind: str, *more: Any, **how: bool) -> int:
        if kind == "file_changed" and not refused:
            refused.append(kind)
            raise StorageFailure("STORAGE_UNWRITABLE", "planact can't write its state: disk is full", "Free space.")
        return append(session_id, run_id, kind, *more, **how)

    monkeypatch.setattr(it.ws.ports.journal, "append", refuse_once)
    with pytest.raises(StorageFailure):
        _ = it.execute(step=1) if has_plan else asyncio.run(send_message(it.ws, it.session_id, "Write a.txt"))
    [run] = it.ws.ports.records.executions()
    assert [change.path for change in changed_files(it.ws, run.id)] == ["a.txt"]
    if has_plan:
        it.world.model.turns = [SAID]
        it.execute(step=1)
        told = [message.content for message in it.ws.ports.sessions.messages(it.session_id)]
        assert any("Step 1 was interrupted. Changed: a.txt" in text for text in told)
