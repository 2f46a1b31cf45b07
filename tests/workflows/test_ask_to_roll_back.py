"""Rolling back: the user's yes, who else is at work, what is written down, and what a killed one leaves."""

import asyncio
from pathlib import Path

import pytest

from planact.base.errors import PlanactError
from planact.model.question import NobodyThere, QuestionSet
from planact.tools.turn import EndTurn
from planact.workflows.runs.recover_runs import recover_runs, sole_run
from planact.workflows.undo.roll_back import RollbackTarget, roll_back, rollback_text
from tests.fakes.world import answer, call, calls
from tests.workflows.rolled_back import AGAIN_A, ALL_KINDS, CHANGE_A, YES, back, files, refused, scene
from tests.workflows.scene import BOTH_STEPS, PATH, SAID, WRITE_B, Scene

# --- asking


def asked(it: Scene) -> QuestionSet:
    return next(each for each in it.asked if each.questions[0].name == "roll_back")


def asked_to_roll_back(it: Scene) -> list[QuestionSet]:
    """As they are now."""
    asked = [each for each in it.asked if each.questions[0].name == "roll_back"]
    return [it.ws.ports.questions.get(each.id) for each in asked]


def test_the_user_is_asked_with_what_would_happen_to_each_file(tmp_path: Path) -> None:
    it = scene(tmp_path, *ALL_KINDS)
    before = files(tmp_path)
    it.answers(YES, YES, answer(roll_back=True))
    it.execute(step=1)
    back(it, asks=True)
    question = asked(it).questions[0]
    assert question.question == "Roll back all that the run did of “Greet”?"
    assert question.context.splitlines() == [
        "- restores a.txt",
        "- deletes moved.txt",
        "- brings back name.txt",
        "- brings back old.txt",
        "- deletes sub/new.txt",
        "- removes the folder sub if it is empty",
    ]
    assert files(tmp_path) == before


def test_without_a_yes_nothing_happens(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    it.execute(step=1)
    it.answers(answer(roll_back=False))
    assert refused(it, asks=True)[0] == "NOT_CONFIRMED"
    assert (it.marks(), it.ws.ports.records.executions()[0].rollbacks) == ("x ", ())


def test_what_changes_while_the_user_thinks_is_not_what_they_said_yes_to(tmp_path: Path) -> None:
    it = scene(tmp_path, *ALL_KINDS)
    it.answers(YES, YES)
    it.execute(step=1)
    show = it.world.editor.show

    async def thinking(question: QuestionSet, problem: str):  # type: ignore[no-untyped-def]
        it.world.write("a.txt", "one\n")
        return await show(question, problem)

    it.world.editor.show = thinking  # type: ignore[method-assign]
    it.answers(answer(roll_back=True))
    with pytest.raises(PlanactError) as caught:
        back(it, asks=True)
    assert caught.value.code == "NOT_CONFIRMED"
    assert "old.txt" not in files(tmp_path)


def test_where_nobody_can_be_asked_the_question_waits_and_its_answer_counts(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    it.execute(step=1)
    it.answers(NobodyThere())
    with pytest.raises(EndTurn):
        back(it, asks=True)
    [question] = it.ws.questions.open()
    it.ws.questions.answer(question.id, {"roll_back": True})
    back(it, asks=True)
    assert it.world.read("a.txt") == "one\n"


def test_a_question_about_more_ends_when_a_part_is_rolled_back_and_what_is_left_is_told(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, WRITE_B, SAID)
    run = it.execute()
    it.answers(NobodyThere())
    with pytest.raises(EndTurn):
        back(it, asks=True)
    [question] = it.ws.questions.open()

    done = back(it, 1)

    assert [*it.ws.questions.open()] == []
    ended = it.ws.ports.questions.get(question.id)
    assert (ended.status, ended.reason) == ("cancelled", "the changes to roll back are different now")
    assert rollback_text(done).splitlines()[-1] == f"Not rolled back: step 2 of “{run.goal}”"
    assert "Not rolled back" not in rollback_text(back(it))


def test_a_question_whose_files_changed_meanwhile_is_asked_anew_and_not_twice(tmp_path: Path) -> None:
    it = scene(tmp_path, *ALL_KINDS)
    it.answers(YES, YES)
    it.execute(step=1)
    for _ in range(2):
        it.answers(NobodyThere())
        with pytest.raises(EndTurn):
            back(it, asks=True)
        it.world.write("a.txt", "one\n")
    assert [each.status for each in asked_to_roll_back(it)] == ["cancelled", "open"]


# --- others at work, and what isn't there


def test_while_a_run_goes_on_nothing_is_rolled_back(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    it.execute(step=1)
    with sole_run(it.ws, "another plan"):
        assert refused(it) == ("BUSY", "a run changes this folder: another plan")


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (RollbackTarget("nothing-like-it"), "EXECUTION_NOT_FOUND"),
        (RollbackTarget(plan_path=PATH, step=7), "STEP_NOT_FOUND"),
        (RollbackTarget(plan_path="other.plan"), "NOTHING_TO_ROLL_BACK"),
    ],
)
def test_what_is_not_there_is_told(tmp_path: Path, wanted: RollbackTarget, code: str) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    it.execute(step=1)
    with pytest.raises(PlanactError) as caught:
        asyncio.run(roll_back(it.ws, it.session_id, wanted, is_confirmed=True))
    assert caught.value.code == code


def test_a_second_time_nothing_is_left(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    it.execute(step=1)
    back(it)
    assert refused(it) == ("NOTHING_TO_ROLL_BACK", "there is nothing to roll back")


def test_images_that_are_gone_leave_their_files_as_they_are(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, WRITE_B, SAID)
    it.execute()
    it.world.store.journal.images.clear()
    assert back(it).stayed == ("a.txt",)
    assert {"a.txt": it.world.read("a.txt"), "b.txt": "b.txt" in files(tmp_path)} == {"a.txt": "two\n", "b.txt": False}


# --- what is written down


def test_the_intent_is_written_down_first_and_nothing_is_erased(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    execution = it.execute(step=1)
    entries = it.ws.ports.journal.read(execution.id)
    it.world.store.log.clear()
    done = back(it)
    assert [line for line in it.world.log("journal.append", "editor.apply", "records") if "Mark" not in line[1]] == [
        ("journal.append", "rollback_started"),
        ("editor.apply", "Roll back"),
        ("journal.append", "rollback_finished"),
        ("records.put_execution", "success"),
    ]
    assert it.ws.ports.journal.read(execution.id)[: len(entries)] == entries
    [record] = it.ws.ports.records.executions()
    assert record == execution.model_copy(update={"rollbacks": done.rollbacks})
    assert it.ws.ports.sessions.messages(it.session_id)[-1].content == rollback_text(done)


def test_records_that_somebody_deleted_or_made_up_change_nothing(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    run = it.execute(step=1)
    records = it.world.store.records
    made_up = run.model_copy(update={"id": "made-up", "started_at": "9999-01-01T00:00:00+00:00"})
    records._executions = {made_up.id: made_up}
    done = back(it)
    assert (it.world.read("a.txt"), it.marks(), [each.id for each in done.executions]) == ("one\n", "  ", [run.id])
    assert {each.id for each in records.executions()} == {"made-up", run.id}
    with pytest.raises(PlanactError, match="there is no execution made-up"):
        back(it, run="made-up")


def test_a_plan_that_was_rolled_back_can_be_executed_and_rolled_back_again(tmp_path: Path) -> None:
    it = Scene(tmp_path, *BOTH_STEPS, *BOTH_STEPS)
    it.write_plan()
    for _ in range(2):
        assert it.execute().status == "success"
        assert (it.marks(), {*files(tmp_path)}) == ("xx", {"a.txt", "b.txt"})
        back(it)
        assert (it.marks(), files(tmp_path)) == ("  ", {})


def test_a_rollback_that_can_not_be_made_is_written_down_as_such(tmp_path: Path) -> None:
    it = scene(tmp_path, *ALL_KINDS)
    it.answers(YES, YES)
    execution = it.execute(step=1)
    before = files(tmp_path)
    write = it.world.files.write

    def failing(place, data, expected, mode=None, **options):  # type: ignore[no-untyped-def]
        if place.shown == "old.txt":
            write(place, b"half", None)
        return write(place, data, expected, mode, **options)

    it.world.files.write = failing  # type: ignore[method-assign]
    with pytest.raises(PlanactError):
        back(it)
    (tmp_path / "old.txt").unlink()
    assert files(tmp_path) == before
    assert [entry.kind for entry in it.ws.ports.journal.read(execution.id)][-2:] == [
        "rollback_started",
        "rollback_failed",
    ]
    it.world.files.write = write  # type: ignore[method-assign]
    back(it)
    assert it.world.read("old.txt") == "old\n"


class Killed(BaseException):
    """What ends a process ends this test's rollback."""


def test_a_rollback_that_was_killed_before_its_marks_lets_the_plan_be_executed_again(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, calls(call("create_file", path="sub/new.txt", content="new")), SAID)
    run = it.execute(step=1)
    done = back(it)
    it.ws.ports.records.put_execution(run)  # as if it had come no further than the journal
    it.write_plan(it.document().file.text.replace("- [ ] 1.", "- [x] 1."))

    asyncio.run(recover_runs(it.ws))

    assert it.marks() == "  "
    assert next(each for each in it.ws.ports.records.executions() if each.id == run.id).rollbacks == done.rollbacks
    assert (asyncio.run(recover_runs(it.ws)), it.execute(step=1).status) == ((), "success")


@pytest.mark.parametrize("kind", ["rollback_started", "rollback_finished", "records", "Mark the plan"])
def test_a_rollback_that_was_cut_short_is_finished_by_the_next(tmp_path: Path, kind: str) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, AGAIN_A, SAID)
    it.execute(step=1)
    it.execute(step=2)
    log = it.world.store.log

    class Cut(list[tuple[str, str]]):
        def append(self, line: tuple[str, str]) -> None:
            super().append(line)
            if kind in (line[0].partition(".")[0], line[1]):
                raise Killed

    for store in (it.world.store.journal, it.world.store.records, it.world.editor._store):
        attribute = "log" if store is it.world.store else "_log"
        setattr(store, attribute, Cut(log))
    with pytest.raises(Killed):
        back(it)
    for store in (it.world.store.journal, it.world.store.records, it.world.editor._store):
        setattr(store, "log" if store is it.world.store else "_log", log)
    back(it)
    assert (it.world.read("a.txt"), it.marks(), it.status()) == ("one\n", "  ", "approved")
    assert all(run.to_roll_back == frozenset() for run in it.ws.ports.records.executions())
    assert refused(it)[0] == "NOTHING_TO_ROLL_BACK"
