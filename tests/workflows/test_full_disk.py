"""A run whose plan and record can't be written any more."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from planact.base.errors import EditFailure, StorageFailure
from planact.model.runs.change import Change
from planact.model.runs.execution import Execution
from tests.workflows.scene import BOTH_STEPS, Scene


def test_a_step_that_cannot_be_marked_is_not_begun_on_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its mark would say that it is still to be done, and the next run would carry it out again."""
    it = Scene(tmp_path, *BOTH_STEPS)
    it.write_plan()
    apply, put = it.world.editor.apply, it.ws.ports.records.put_execution

    async def apply_until_full(changes: Sequence[Change], label: str) -> None:
        if label == "Mark the plan" and "b.txt" not in it.world.tree() and "step_finished" in kinds():
            raise EditFailure("EDIT_REFUSED", "the plan can't be changed: no space left on device")
        await apply(changes, label)

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
