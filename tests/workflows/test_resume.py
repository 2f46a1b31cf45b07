"""What becomes of a run when the user edits meanwhile, another run is there, or the process is killed."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from planact.base.errors import PlanactError, StorageFailure
from planact.model.chat.message import Message, ModelRequest, Reply
from planact.model.plan import StepStatus
from planact.model.question import NobodyThere
from planact.model.runs.execution import Execution
from planact.model.runs.journal import JournalEntry
from planact.workflows.plans.library import is_approved
from planact.workflows.runs.execute import Confirmation
from planact.workflows.sessions.manage import new_session
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import BOTH_STEPS, PATH, PLAN, SAID, WRITE_A, WRITE_B, Scene, until


def scene(root: Path, *turns: Turn, text: str = PLAN) -> Scene:
    made = Scene(root, *turns)
    made.write_plan(text)
    return made


def meanwhile(act: Callable[[], object], reply: Reply = SAID) -> Turn:
    """A reply while which something happens."""

    def turn(request: ModelRequest) -> Reply:
        act()
        return reply

    return turn


def statuses(execution: Execution) -> list[tuple[int, str]]:
    return [(record.step_number, record.status.value) for record in execution.steps]


# --- the document changes during the run


def test_what_the_user_writes_into_the_plan_meanwhile_survives_and_marks_land(tmp_path: Path) -> None:
    def edit() -> None:
        it.world.write(PATH, it.world.read(PATH).replace("## Steps", "My own words.\n\n## Steps"))

    it = scene(tmp_path, WRITE_A, meanwhile(edit), WRITE_B, SAID)
    assert it.execute().status == "success"
    assert "My own words." in it.world.read(PATH)
    assert (it.marks(), it.status()) == ("xx", "done")
    assert not is_approved(it.ws, it.document())


def test_a_plan_to_which_the_user_adds_a_step_meanwhile_is_not_done(tmp_path: Path) -> None:
    def add() -> None:
        more = "- [ ] 3. Something else\n  - reason: I thought of it\n\n## Validation"
        it.world.write(PATH, it.world.read(PATH).replace("\n## Validation", more))

    it = scene(tmp_path, WRITE_A, meanwhile(add), WRITE_B, SAID)
    assert it.execute().status == "success"
    assert (it.marks(), it.status()) == ("xx ", "paused")


def test_marks_follow_their_steps_when_the_user_puts_another_before_them(tmp_path: Path) -> None:
    def edit() -> None:
        text = it.world.read(PATH).replace(" 2. ", " 3. ").replace(" 1. ", " 2. ")
        it.world.write(PATH, text.replace("## Steps\n", "## Steps\n- [ ] 1. Something new\n"))

    it = scene(tmp_path, WRITE_A, meanwhile(edit), WRITE_B, SAID)
    assert statuses(it.execute()) == [(1, "done"), (2, "done")]
    assert it.marks() == " xx"


def test_a_step_that_reads_otherwise_now_is_not_said_to_be_done(tmp_path: Path) -> None:
    def edit() -> None:
        it.world.write(PATH, it.world.read(PATH).replace("1. Write the greeting", "1. Write a poem"))

    it = scene(tmp_path, WRITE_A, meanwhile(edit), WRITE_B, SAID)
    assert statuses(it.execute()) == [(1, "done"), (2, "done")]
    assert (it.marks(), it.status()) == (" x", "paused")


def test_a_run_goes_on_when_the_plan_document_is_deleted_meanwhile(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, meanwhile(lambda: (tmp_path / PATH).unlink()), WRITE_B, SAID)
    execution = it.execute()
    assert (execution.status, statuses(execution)) == ("success", [(1, "done"), (2, "done")])
    assert it.ws.ports.records.executions() == (execution,)
    assert it.world.events()[-1] == "execution_finished"
    assert not (tmp_path / PATH).exists()


def test_a_mark_lands_though_the_user_types_in_that_moment(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    applied, apply = [0], it.world.editor.apply

    async def typing(changes, label):  # type: ignore[no-untyped-def]
        if label == "Mark the plan":
            applied[0] += 1
            if applied[0] % 2:
                it.world.write(PATH, it.world.read(PATH) + f"word {applied[0]}\n")
        return await apply(changes, label)

    it.world.editor.apply = typing  # type: ignore[method-assign]
    assert it.execute().status == "success"
    assert (it.marks(), it.status()) == ("xx", "done")
    assert "word 1\n" in it.world.read(PATH)


# --- one run at a time


def test_a_folder_in_which_another_process_runs_is_busy(tmp_path: Path) -> None:
    it = scene(tmp_path)
    it.world.store.lock._holders.append("plan_x Another plan")
    with pytest.raises(PlanactError, match="Another plan") as failure:
        it.execute()
    assert failure.value.code == "BUSY"
    assert it.marks() == "  "
    assert it.ws.ports.records.executions() == ()


def test_a_session_that_works_is_busy(tmp_path: Path) -> None:
    it = scene(tmp_path)

    async def run() -> None:
        working = asyncio.ensure_future(it.ws.work(it.session_id, asyncio.sleep(20)))
        await asyncio.sleep(0)
        with pytest.raises(PlanactError) as failure:
            await it.executing(Confirmation.BY_FLAG)
        assert failure.value.code == "BUSY"
        await it.ws.stop(it.session_id)
        await asyncio.wait([working])
        working.exception()

    asyncio.run(run())


def test_the_folder_is_free_after_a_run_however_it_ended(tmp_path: Path) -> None:
    it = scene(tmp_path, SAID, SAID, *BOTH_STEPS)
    assert it.execute().status == "failed"
    assert it.execute().status == "success"
    assert it.world.store.lock.acquire("next") == ""


# --- questions that outlive a run


def test_an_answer_given_while_nobody_ran_counts_in_the_next_run_of_the_step(tmp_path: Path) -> None:
    more = calls(call("create_file", path="c.txt", content=""))
    it = scene(tmp_path, more, more, WRITE_A, SAID)
    it.answers(NobodyThere())
    execution = it.execute(step=1)
    assert (execution.status, it.marks()) == ("paused", "  ")
    (question,) = it.ws.questions.open()
    it.ws.questions.answer(question.id, {"approval": "allow_once"})
    assert it.execute(step=1).status == "success"
    assert len(it.asked) == 1
    assert "c.txt" in it.world.tree()


def test_an_approval_of_a_call_counts_in_no_other_step(tmp_path: Path) -> None:
    more = calls(call("create_file", path="c.txt", content=""))
    it = scene(tmp_path, more, more, WRITE_B, SAID)
    it.answers(NobodyThere())
    it.execute(step=1)
    it.ws.questions.answer(it.ws.questions.open()[0].id, {"approval": "allow_once"})
    it.answers(answer(approval="reject_once"))
    assert it.execute(step=2).status == "success"
    assert len(it.asked) == 2
    assert "c.txt" not in it.world.tree()


# --- killed


class Killed(BaseException):
    """The process ends here: nothing after it runs."""


class Mortal:
    """Once dead, nothing of what it guards is done any more."""

    def __init__(self) -> None:
        self.is_dead = False
        self._guarded: list[tuple[object, str]] = []

    def guard(self, thing: object, name: str) -> None:
        method = getattr(thing, name)

        def alive(*arguments: object, **named: object) -> object:
            if self.is_dead:
                raise Killed
            return method(*arguments, **named)

        setattr(thing, name, alive)
        self._guarded.append((thing, name))

    def bury(self) -> None:
        for thing, name in reversed(self._guarded):
            delattr(thing, name)


def kill_at(it: Scene, is_time: Callable[[str, int], bool], run: Callable[[Scene], Execution] = Scene.execute) -> None:
    """Run, and die at the journal entry for which `is_time(kind, number)` holds, right after it is on disk."""
    store, mortal = it.world.store, Mortal()
    append = store.journal.append

    def appending(session_id: str, execution_id: str, kind: str, data: dict[str, object], **more: bool) -> int:
        sequence = append(session_id, execution_id, kind, data, **more)
        if is_time(kind, sequence):
            mortal.is_dead = True
            raise Killed
        return sequence

    store.journal.append = appending  # type: ignore[assignment,method-assign]
    mortal.guard(store.journal, "append")
    mortal.guard(store.records, "put_execution")
    mortal.guard(store.sessions, "put")
    mortal.guard(store.sessions, "add_message")
    mortal.guard(it.world.editor, "apply")
    with pytest.raises(Killed):
        run(it)
    mortal.bury()
    store.lock.release()  # the system does, when a process ends
    it.ws.running.clear()


def entries(it: Scene, kind: str) -> list[JournalEntry]:
    return [entry for entry in it.world.store.journal.entries if entry.kind == kind]


BARE = PLAN.replace("- `test -f b.txt`\n", "").replace("  - check: `grep -q hello a.txt`\n", "")
A_STEP = ("step_started", "call_started", "files_changing", "file_changed", "call_finished", "step_finished")
A_RUN = ("run_started", *A_STEP, *A_STEP, "run_finished")


def diligent(request: ModelRequest) -> Reply:
    """Changes the file of the step it is given, then says so."""
    last = request.messages[-1]
    if last["role"] == "tool":
        return SAID
    path = "a.txt" if "step 1 " in last["content"] else "b.txt"
    return calls(call("update_file", path=path, edits=[{"old": "old", "new": "old new"}]))


def test_these_are_the_entries_of_a_run(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, WRITE_B, SAID, text=BARE)
    it.execute()
    assert tuple(entry.kind for entry in it.world.store.journal.entries) == A_RUN


@pytest.mark.parametrize("at", range(1, len(A_RUN)))
def test_a_run_that_is_killed_anywhere_goes_on_where_it_was_and_runs_no_step_twice(tmp_path: Path, at: int) -> None:
    it = scene(tmp_path, text=BARE)
    it.world.write("a.txt", "old")
    it.world.write("b.txt", "old")
    it.world.model.turns = [diligent] * 20
    kill_at(it, lambda kind, number: number == at)
    assert it.execute().status == "success"
    assert it.marks() == "xx"
    results = [entry.data for entry in entries(it, "step_finished") if entry.data["status"] == "done"]
    assert [result["step_number"] for result in results] == [1, 2]
    assert "running" not in [run.status for run in it.ws.ports.records.executions()]


def stop_at(it: Scene, moment: int) -> Execution | None:
    """Run, and stop at the so many-th thing that is written or changed; None when there are fewer."""
    count = [0]
    stopping: list[asyncio.Future[bool]] = []
    journal, editor, sessions = it.world.store.journal, it.world.editor, it.world.store.sessions
    append, apply, add_message = journal.append, editor.apply, sessions.add_message

    def tick() -> None:
        count[0] += 1
        if count[0] == moment:
            stopping.append(asyncio.ensure_future(it.ws.stop(it.session_id)))

    def appending(*arguments: Any, **named: bool) -> int:
        tick()
        return append(*arguments, **named)

    def adding(message: Message) -> None:
        tick()
        add_message(message)

    async def applying(changes: Any, label: str) -> Any:
        tick()
        await asyncio.sleep(0)  # as an editor takes its time
        done = await apply(changes, label)
        tick()
        await asyncio.sleep(0)
        return done

    async def run() -> Execution:
        execution = await it.executing(Confirmation.BY_FLAG)
        for stop in stopping:
            await stop
        return execution

    journal.append, editor.apply, sessions.add_message = appending, applying, adding  # type: ignore[method-assign]
    execution = asyncio.run(run())
    del journal.append, editor.apply, sessions.add_message
    return execution if stopping else None


@pytest.mark.parametrize("moment", range(1, 41))
def test_a_run_that_is_stopped_anywhere_leaves_everything_in_order_and_goes_on(tmp_path: Path, moment: int) -> None:
    it = scene(tmp_path, text=BARE)
    it.world.write("a.txt", "old")
    it.world.write("b.txt", "old")
    it.world.model.turns = [diligent] * 20
    execution = stop_at(it, moment)
    assert execution is not None
    assert execution.status in ("paused", "success")
    assert it.ws.running == {}
    assert it.world.store.lock._holders == []
    assert set(it.marks()) <= {" ", "x"}
    assert it.status() == ("done" if execution.status == "success" else "paused")
    kinds = [entry.kind for entry in it.ws.ports.journal.read(execution.id)]
    assert kinds[-1] == "run_finished"
    assert kinds.count("call_started") == kinds.count("call_finished")
    assert kinds.count("files_changing") == kinds.count("file_changed")
    assert it.ws.ports.records.executions() == (execution,)
    if it.marks() != "xx":
        assert it.execute().status == "success"
    assert it.marks() == "xx"
    assert [entry.data["step_number"] for entry in entries(it, "step_finished")] == [1, 2]


def test_a_run_that_is_stopped_while_a_check_runs_is_paused(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, text=PLAN.replace("`grep -q hello a.txt`", "`touch begun; sleep 20`"))

    async def stop() -> Execution:
        running = asyncio.ensure_future(it.executing(Confirmation.BY_FLAG))
        await until((tmp_path / "begun").exists)
        await it.ws.stop(it.session_id)
        return await running

    execution = asyncio.run(stop())
    assert (execution.status, execution.steps, it.marks(), it.status()) == ("paused", (), "  ", "paused")


def test_the_record_of_a_killed_run_says_what_it_did(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS, WRITE_B, SAID)
    kill_at(it, lambda kind, count: kind == "step_started" and len(entries(it, "step_finished")) == 1)
    it.world.model.turns = [WRITE_B, SAID]
    assert it.execute().status == "success"
    _, killed = it.ws.ports.records.executions()
    steps = [(1, "done"), (2, "pending")]
    assert (killed.status, statuses(killed), killed.finished_at != "") == ("aborted", steps, True)


def test_a_mark_the_user_takes_away_makes_the_step_run_again(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS, calls(call("read_file", path="a.txt")), SAID)
    it.execute()
    it.world.write(PATH, it.world.read(PATH).replace("[x] 1.", "[ ] 1."))
    assert statuses(it.execute()) == [(1, "done")]


def test_a_record_that_a_repository_ships_marks_nothing(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS, text=PLAN.replace("[ ] 1.", "[~] 1."))
    forged = Execution(id="x", session_id="y", plan_file=PATH, plan_hash=it.document().hash, status="running")
    it.ws.ports.records.put_execution(forged)
    it.answers(answer(interrupted="again"))
    assert statuses(it.execute()) == [(1, "done"), (2, "done")]
    (asked,) = it.asked
    told = "Step 1 is marked as running, but there is no record of that run. Run the step again?"
    assert asked.questions[0].question == told


def test_a_step_whose_result_can_not_be_written_down_is_not_marked_done(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID)
    journal = it.world.store.journal
    append = journal.append

    def full(session_id: str, execution_id: str, kind: str, data: object, **more: bool) -> int:
        if kind == "step_finished":
            raise StorageFailure("STORAGE_UNWRITABLE", "the disk is full")
        return append(session_id, execution_id, kind, data, **more)  # type: ignore[arg-type]

    journal.append = full  # type: ignore[method-assign]
    with pytest.raises(StorageFailure):
        it.execute()
    assert StepStatus.DONE not in [step.status for step in it.document().tree.steps]
    assert [record.steps for record in it.ws.ports.records.executions()] == [()]


def test_another_session_can_go_on_with_the_plan(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, WRITE_B, SAID)
    it.execute(step=1)
    it.session_id = new_session(it.ws).id
    assert statuses(it.execute()) == [(2, "done")]
