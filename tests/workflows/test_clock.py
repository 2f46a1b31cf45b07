"""A clock that is set back: what came after what is told by the journal, never by times."""

from pathlib import Path

from tests.workflows.scene import SAID
from tests.workflows.test_resume import BARE, diligent, entries, kill_at, scene, statuses


def test_a_clock_that_goes_backwards_changes_nothing_about_what_comes_after_what(tmp_path: Path) -> None:
    """Neither which attempt at a step was the last, nor that a killed run is taken up, nor durations."""
    it = scene(tmp_path, text=BARE)
    it.world.write("a.txt", "old")
    it.world.write("b.txt", "old")
    it.world.model.turns = [SAID]
    failed = it.execute(step=1)
    assert statuses(failed) == [(1, "failed")]
    it.world.store.clock.advance(-86_400)
    it.world.model.turns = [diligent] * 20
    kill_at(it, lambda kind, _: kind == "step_finished" and len(entries(it, "step_finished")) == 2)
    it.world.store.clock.advance(-86_400)
    assert it.execute().status == "success"
    assert it.marks() == "xx"
    by_journal = [entry.execution_id for entry in it.world.store.journal.runs()]
    assert by_journal[-1] == failed.id
    assert all(run.duration >= 0 and run.status != "running" for run in it.ws.ports.records.executions())
    assert [entry.data["status"] for entry in entries(it, "step_finished")] == ["failed", "done", "done"]
