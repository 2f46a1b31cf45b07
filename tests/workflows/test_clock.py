"""A clock that is set back: what came after what is told by the journal, never by times."""

from pathlib import Path

from planact.model.settings import LimitSettings, Settings
from planact.workflows.history.journal_queries import newest_first
from planact.workflows.runs.resume import can_be_continued, run_to_resume
from tests.workflows.scene import PATH, SAID
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


def test_the_run_to_go_on_with_is_the_last_that_began_whatever_the_clock_said(tmp_path: Path) -> None:
    it = scene(tmp_path, text=BARE)
    it.ws.settings = Settings(model="played", limits=LimitSettings(max_turns=1))
    it.world.model.turns = [diligent] * 20
    first = it.execute()
    it.world.store.clock.advance(-86_400)
    second = it.execute()
    it.ws.ports.records.put_execution(first.model_copy(update={"status": "success"}))

    assert (first.started_at > second.started_at, second.status) == (True, "paused")
    assert run_to_resume(it.ws) == second
    assert run_to_resume(it.ws, path=PATH) == second
    assert can_be_continued(it.ws, PATH, it.document().hash)
    assert [run.id for run in newest_first(it.ws)] == [second.id, first.id]
