"""A run whose plan and record can't be written any more."""

import errno
from collections.abc import Sequence
from pathlib import Path

import pytest

from planact.base.errors import EditFailure, StorageFailure
from planact.model.runs.change import Change
from planact.model.runs.execution import Execution, FileChange
from tests.fakes.world import answer
from tests.workflows.scene import BOTH_STEPS, SAID, WRITE_A, Scene
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
