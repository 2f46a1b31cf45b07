"""A run that was killed goes on as the same run: one record, one rollback; and what begins another."""

import asyncio
from pathlib import Path

import pytest

from planact.model.runs.execution import Execution
from planact.workflows.history.journal_queries import rebuild_execution
from planact.workflows.runs.execute import Confirmation
from planact.workflows.runs.recover_runs import recover_runs
from planact.workflows.runs.resume import resume_execution, run_to_resume
from planact.workflows.sessions.manage import new_session
from planact.workflows.undo.roll_back import RollbackTarget, roll_back, rollback_text
from tests.workflows.scene import BOTH_STEPS, EXECUTE, PATH, SAID, WRITE_B, Scene
from tests.workflows.test_resume import A_RUN, BARE, diligent, entries, kill_at, scene, statuses


def go_on(it: Scene) -> Execution:
    return asyncio.run(resume_execution(it.ws, it.session_id, run_to_resume(it.ws, path=PATH)))


@pytest.mark.parametrize("at", range(2, len(A_RUN) - 1))
def test_a_killed_run_goes_on_as_the_same_run(tmp_path: Path, at: int) -> None:
    it = scene(tmp_path, text=BARE)
    it.world.write("a.txt", "old")
    it.world.write("b.txt", "old")
    it.world.model.turns = [diligent] * 20
    kill_at(it, lambda kind, number: number == at)
    it.world.store.clock.advance(60)
    recovered = asyncio.run(recover_runs(it.ws))
    assert recovered
    [killed] = it.ws.ports.records.executions()
    ended = go_on(it)
    assert (ended.id, ended.status, ended.started_at) == (killed.id, "success", killed.started_at)
    assert it.ws.ports.records.executions() == (ended,)
    (begun,) = it.ws.ports.journal.runs()
    rebuilt = rebuild_execution(it.ws, begun)
    assert (rebuilt.status, rebuilt.steps, rebuilt.duration < 60) == ("success", ended.steps, True)
    assert asyncio.run(recover_runs(it.ws)) == ()
    done = [entry.data["step_number"] for entry in entries(it, "step_finished") if entry.data["status"] == "done"]
    assert done == [1, 2]
    back = asyncio.run(roll_back(it.ws, it.session_id, RollbackTarget(ended.id), is_confirmed=True))
    assert {file.path for file in back.files} == {"a.txt", "b.txt"}
    assert (it.world.read("a.txt"), it.world.read("b.txt"), it.marks()) == ("old", "old", "  ")


def killed_in_step_two(it: Scene) -> Execution:
    """A run that has written `a.txt`."""
    kill_at(it, lambda kind, _: kind == "step_started" and len(entries(it, "step_finished")) == 1)
    asyncio.run(recover_runs(it.ws))
    [killed] = it.ws.ports.records.executions()
    it.world.model.turns = [WRITE_B, SAID]
    return killed


def test_it_goes_on_as_the_same_run_however_often_it_is_killed(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    killed = killed_in_step_two(it)
    kill_at(it, lambda kind, _: kind == "run_resumed", go_on)
    assert it.ws.ports.journal.open_runs()[0].execution_id == killed.id
    ended = go_on(it)
    assert (ended.id, statuses(ended)) == (killed.id, [(1, "done"), (2, "pending"), (2, "done")])
    assert [record.attempt for record in ended.steps] == [1, 1, 2]
    assert len(entries(it, "run_finished")) == 3


def test_a_rollback_of_a_step_that_was_done_anew_tells_what_the_killed_run_left(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    kill_at(it, lambda kind, _: kind == "call_finished")
    asyncio.run(recover_runs(it.ws))
    it.world.model.turns = [SAID, WRITE_B, SAID]
    anew = it.execute()
    (killed,) = [run for run in it.ws.ports.records.executions() if run.id != anew.id]
    assert [file.path for file in anew.steps[0].files] == ["a.txt"]
    back = asyncio.run(roll_back(it.ws, it.session_id, RollbackTarget(), is_confirmed=True))
    assert [file.path for file in back.files] == ["b.txt"]
    assert f"Not rolled back: a.txt, which the run {killed.id} before it changed" in rollback_text(back).splitlines()
    rest = asyncio.run(roll_back(it.ws, it.session_id, RollbackTarget(), is_confirmed=True))
    assert ("a.txt" in it.world.tree(), rest.of_earlier) == (False, ())


def test_what_is_executed_anew_or_was_rolled_back_or_approved_otherwise_is_another_run(tmp_path: Path) -> None:
    def anew(it: Scene) -> Execution:
        return it.execute()

    def after_a_rollback(it: Scene) -> Execution:
        asyncio.run(roll_back(it.ws, it.session_id, RollbackTarget(plan_path=PATH), is_confirmed=True))
        it.world.model.turns = [*BOTH_STEPS]
        return go_on(it)

    def approved_otherwise(it: Scene) -> Execution:
        it.world.write(PATH, it.world.read(PATH).replace("nobody answers", "nobody answered"))
        it.answers(EXECUTE)
        return go_on(it)

    for number, begin in enumerate((anew, after_a_rollback, approved_otherwise)):
        root = tmp_path / str(number)
        root.mkdir()
        it = scene(root, *BOTH_STEPS)
        killed = killed_in_step_two(it)
        ended = begin(it)
        assert (ended.status, ended.id != killed.id) == ("success", True)
        assert [run.id for run in it.ws.ports.records.executions()] == [ended.id, killed.id]


def test_a_run_that_goes_on_in_another_conversation_is_that_one_s(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    killed = killed_in_step_two(it)
    it.session_id = new_session(it.ws).id
    ended = go_on(it)
    assert (ended.id, ended.session_id) == (killed.id, it.session_id)
    assert rebuild_execution(it.ws, it.ws.ports.journal.runs()[0]).session_id == it.session_id


def test_a_run_that_begins_during_a_recovery_waits_for_its_end(tmp_path: Path) -> None:
    """An editor recovers when it opens a folder, which is when the user presses Execute."""
    it = scene(tmp_path, *BOTH_STEPS)
    lock = it.world.store.lock
    assert lock.acquire("putting in order what a killed run left behind") == ""

    async def press() -> Execution:
        asyncio.get_running_loop().call_later(0.1, lock.release)
        return await it.executing(Confirmation.BY_FLAG)

    assert asyncio.run(press()).status == "success"
