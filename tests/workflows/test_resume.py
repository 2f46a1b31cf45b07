"""What becomes of a run when the user edits meanwhile, another run is there, or the process is killed."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.base.errors import PlanactError, StorageFailure
from planact.model.execution import Execution
from planact.model.journal import JournalEntry
from planact.model.plan import StepStatus
from planact.model.question import NobodyThere
from planact.model.reply import ModelRequest, Reply
from planact.workflows.execute_plan import Confirmation
from planact.workflows.library import is_approved
from planact.workflows.sessions import new_session
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import BOTH_STEPS, PATH, PLAN, SAID, WRITE_A, WRITE_B, Scene


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
    assert it.marks() == "~x"


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
    it = scene(tmp_path, SAID, *BOTH_STEPS)
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
    (question,) = it.ws.desk.open()
    it.ws.desk.answer(question.id, {"approval": "allow_once"})
    assert it.execute(step=1).status == "success"
    assert len(it.asked) == 1
    assert "c.txt" in it.world.tree()


def test_an_approval_of_a_call_counts_in_no_other_step(tmp_path: Path) -> None:
    more = calls(call("create_file", path="c.txt", content=""))
    it = scene(tmp_path, more, more, WRITE_B, SAID)
    it.answers(NobodyThere())
    it.execute(step=1)
    it.ws.desk.answer(it.ws.desk.open()[0].id, {"approval": "allow_once"})
    it.answers(answer(approval="reject_once"))
    assert it.execute(step=2).status == "success"
    assert len(it.asked) == 2
    assert "c.txt" not in it.world.tree()


# --- killed


class Killed(BaseException):
    """The process ends here: nothing after it runs."""


def kill_at(it: Scene, is_time: Callable[[str, int], bool]) -> None:
    """Run, and stop dead at a journal entry: all that planact does from then on is not done."""
    journal, records, sessions = it.world.store.journal, it.world.store.records, it.world.store.sessions
    append, counted = journal.append, [0]
    is_dead = [False]

    def appending(session_id: str, execution_id: str, kind: str, data: object) -> int:
        if is_dead[0]:
            raise Killed
        sequence = append(session_id, execution_id, kind, data)  # type: ignore[arg-type]
        counted[0] += 1
        if is_time(kind, counted[0]):
            is_dead[0] = True
            raise Killed
        return sequence

    def alive(name: str, method: Callable[..., object]) -> Callable[..., object]:
        def guarded(*arguments: object, **more: object) -> object:
            if is_dead[0]:
                raise Killed
            return method(*arguments, **more)

        return guarded

    editor_apply = it.world.editor.apply
    journal.append = appending  # type: ignore[method-assign]
    for store, names in (
        (records, ["put_execution"]),
        (sessions, ["put", "add_message"]),
        (it.world.editor, ["apply"]),
    ):
        for name in names:
            setattr(store, name, alive(name, getattr(store, name)))
    with pytest.raises(Killed):
        it.execute()
    del journal.append
    for store, names in (
        (records, ["put_execution"]),
        (sessions, ["put", "add_message"]),
        (it.world.editor, ["apply"]),
    ):
        for name in names:
            delattr(store, name)
    assert it.world.editor.apply == editor_apply
    it.world.store.lock.release()  # the system does, when a process ends
    it.ws.running.clear()


def entries(it: Scene, kind: str) -> list[JournalEntry]:
    return [entry for entry in it.world.store.journal.entries if entry.kind == kind]


@pytest.mark.parametrize("at", range(1, 20))
def test_a_run_that_is_killed_anywhere_goes_on_where_it_was_and_runs_no_step_twice(tmp_path: Path, at: int) -> None:
    it = scene(tmp_path, text=PLAN.replace("- `test -f b.txt`\n", "").replace("  - check: `grep -q hello a.txt`\n", ""))
    work = {"1": ["a.txt"], "2": ["b.txt"]}

    def model(request: ModelRequest) -> Reply:
        """Makes the step's file unless the last call did."""
        last = request.messages[-1]
        if last["role"] == "tool":
            return SAID
        step = str(last["content"]).partition("step ")[2][:1]
        (path,) = work[step]
        return calls(call("create_file", path=path, content="x"))

    it.world.model.turns = [model] * 20
    killed = True
    try:
        kill_at(it, lambda kind, count: count == at)
    except pytest.fail.Exception:
        killed = False  # the run has fewer entries
    if not killed:
        assert it.marks() == "xx"
        return
    done = [entry.data["step_number"] for entry in entries(it, "step_finished")]
    if it.marks().strip("x") == "":
        return
    for path in ("a.txt", "b.txt"):  # what a killed step half did is looked at by the model, here it begins anew
        if path not in [f for number in done for f in work[str(number)]]:
            (tmp_path / path).unlink(missing_ok=True)
    if done == [1, 2]:
        with pytest.raises(PlanactError, match="all steps"):
            it.execute()
    else:
        assert it.execute().status == "success"
    assert it.marks() == "xx"
    ends = [entry.data["step_number"] for entry in entries(it, "step_finished")]
    assert ends == [1, 2]
    assert [run.status for run in it.ws.ports.records.executions() if run.status == "running"] == []


def test_the_record_of_a_killed_run_says_what_it_did(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS, WRITE_B, SAID)
    kill_at(it, lambda kind, count: kind == "step_started" and len(entries(it, "step_finished")) == 1)
    it.world.model.turns = [WRITE_B, SAID]
    assert it.execute().status == "success"
    _, killed = it.ws.ports.records.executions()
    assert (killed.status, statuses(killed), killed.finished_at != "") == ("aborted", [(1, "done")], True)


def test_a_mark_the_user_takes_away_makes_the_step_run_again(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS, calls(call("read_file", path="a.txt")), SAID)
    it.execute()
    it.world.write(PATH, it.world.read(PATH).replace("[x] 1.", "[ ] 1."))
    assert statuses(it.execute()) == [(1, "done")]


def test_a_record_that_a_repository_ships_marks_nothing(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS, text=PLAN.replace("[ ] 1.", "[~] 1."))
    forged = Execution(id="x", session_id="y", plan_file=PATH, plan_hash=it.document().hash, status="running")
    it.ws.ports.records.put_execution(forged)
    assert statuses(it.execute()) == [(1, "done"), (2, "done")]


def test_a_step_whose_result_can_not_be_written_down_is_not_marked_done(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID)
    journal = it.world.store.journal
    append = journal.append

    def full(session_id: str, execution_id: str, kind: str, data: object) -> int:
        if kind == "step_finished":
            raise StorageFailure("STORAGE_UNWRITABLE", "the disk is full")
        return append(session_id, execution_id, kind, data)  # type: ignore[arg-type]

    journal.append = full  # type: ignore[method-assign]
    with pytest.raises(StorageFailure):
        it.execute()
    assert StepStatus.DONE not in [step.status for step in it.document().tree.steps]


def test_another_session_can_go_on_with_the_plan(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, WRITE_B, SAID)
    it.execute(step=1)
    it.session_id = new_session(it.ws).id
    assert statuses(it.execute()) == [(2, "done")]
