"""Rolling back: what the steps did is taken back, what others did never is, and it is all written down."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from planact.base.filetext import FileText
from planact.model.chat.message import Reply
from planact.model.notice import ToolNotice
from planact.model.question import NobodyThere
from planact.model.rights.permission import Mode
from planact.model.runs.journal import JournalEntry
from planact.model.settings import Settings
from planact.workflows.history.interruption import find_interrupted_rollbacks, warn_of_interrupted_rollbacks
from planact.workflows.history.report import report
from planact.workflows.runs.execute import Confirmation
from planact.workflows.runs.run_without_plan import run_without_plan
from planact.workflows.undo.roll_back import FilesMovedOn, rollback_text
from tests.fakes.store import MemoryJournal
from tests.fakes.world import answer, call, calls
from tests.workflows.rolled_back import AGAIN_A, ALL_KINDS, CHANGE_A, THREE, YES, back, files, in_git, refused, scene
from tests.workflows.scene import EXECUTE, PLAN, SAID, WRITE_A, Scene

# --- what comes back


def test_a_file_that_was_changed_under_two_of_its_names_comes_back_under_both(tmp_path: Path) -> None:
    second_name = calls(call("update_file", path="b.txt", edits=[{"old": "two", "new": "three"}]))
    it = scene(tmp_path, CHANGE_A, SAID, second_name, SAID)
    (tmp_path / "b.txt").hardlink_to(tmp_path / "a.txt")
    it.ws.settings = Settings(model="played", approval="acceptAll")  # else it is asked about
    it.execute()
    assert (it.world.read("a.txt"), it.marks(), it.status()) == ("three\n", "xx", "done")
    code, message = refused(it, 1)
    assert (code, message) == ("FILE_MOVED_ON", "nothing was rolled back: a.txt was changed by step 2 of “Greet”")
    done = back(it)
    assert (it.world.read("a.txt"), it.world.read("b.txt"), it.marks()) == ("one\n", "one\n", "  ")
    assert (tmp_path / "a.txt").samefile(tmp_path / "b.txt")
    assert sorted(file.path for file in done.files) == ["a.txt", "b.txt"]


def test_a_step_that_changed_a_file_under_another_name_is_taken_back_alone(tmp_path: Path) -> None:
    second_name = calls(call("update_file", path="b.txt", edits=[{"old": "two", "new": "three"}]))
    it = scene(tmp_path, CHANGE_A, SAID, second_name, SAID)
    (tmp_path / "b.txt").hardlink_to(tmp_path / "a.txt")
    it.ws.settings = Settings(model="played", approval="acceptAll")  # else it is asked about
    it.execute()
    back(it, 2)
    assert (it.world.read("a.txt"), it.world.read("b.txt"), it.marks()) == ("two\n", "two\n", "x ")


def test_links_that_were_deleted_moved_and_replaced_are_links_again(tmp_path: Path) -> None:
    turn = calls(
        call("delete_file", "c1", path="old.txt"),
        call("rename_file", "c2", path="sub/up", new_path="sub/moved"),
        call("delete_file", "c3", path="folder"),
        call("create_file", "c4", path="folder", content="a file\n"),
        call("delete_file", "c5", path="name.txt"),
        call("rename_file", "c6", path="lost", new_path="name.txt"),
    )
    it = scene(tmp_path, turn, SAID)
    (tmp_path / "old.txt").unlink()
    (tmp_path / "sub").mkdir()
    links = {"old.txt": "a.txt", "sub/up": "../a.txt", "folder": "sub", "lost": "nowhere"}
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    it.answers(*[YES] * 6)
    it.execute(step=1)
    assert it.world.read("a.txt") == "one\n"
    assert ((tmp_path / "sub/moved").readlink(), it.world.read("folder")) == (Path("../a.txt"), "a file\n")
    assert (tmp_path / "name.txt").readlink() == Path("nowhere")
    back(it)
    assert {name: str((tmp_path / name).readlink()) for name in links} == links
    assert (it.world.read("name.txt"), [path.name for path in (tmp_path / "sub").iterdir()]) == ("name\n", ["up"])


def test_changed_created_deleted_and_renamed_files_are_as_they_were_with_their_modes(tmp_path: Path) -> None:
    it = scene(tmp_path, *ALL_KINDS, SAID)
    before = files(tmp_path)
    it.answers(YES, YES)
    it.execute(step=1)
    assert {*files(tmp_path)} == {"a.txt", "moved.txt", "sub/", "sub/new.txt"}
    done = back(it)
    assert files(tmp_path) == before
    assert [(file.path, bool(file.before), bool(file.after)) for file in done.files] == [
        ("a.txt", True, True),
        ("moved.txt", True, False),
        ("name.txt", False, True),
        ("old.txt", False, True),
        ("sub/new.txt", True, False),
    ]
    assert rollback_text(done).splitlines()[0] == "Rolled back by the user: step 1 of “Greet”"


def test_one_step_is_taken_back_and_the_one_before_it_stands(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, AGAIN_A, SAID)
    it.execute()
    assert (it.marks(), it.status()) == ("xx", "done")
    back(it, 2)
    assert (it.world.read("a.txt"), it.marks(), it.status()) == ("two\n", "x ", "paused")
    back(it, 1)
    assert (it.world.read("a.txt"), it.marks(), it.status()) == ("one\n", "  ", "approved")


def test_what_a_call_was_to_do_and_did_not_is_not_taken_for_the_steps_when_others_do_just_that(tmp_path: Path) -> None:
    failing = calls(call("rename_file", path="missing.txt", new_path="name.txt"))
    it = scene(tmp_path, CHANGE_A, failing, SAID)
    it.answers(YES, YES)
    it.execute(step=1)
    assert "name.txt" in files(tmp_path)
    (tmp_path / "name.txt").unlink()
    back(it, 1)
    assert it.world.read("a.txt") == "one\n"
    assert "name.txt" not in files(tmp_path)


def test_a_step_whose_file_a_later_step_changed_is_refused_by_name_and_both_go_together(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, AGAIN_A, SAID)
    it.execute()
    code, message = refused(it, 1)
    assert (code, message) == ("FILE_MOVED_ON", "nothing was rolled back: a.txt was changed by step 2 of “Greet”")
    back(it)
    assert (it.world.read("a.txt"), it.marks()) == ("one\n", "  ")


def test_runs_of_a_plan_are_taken_back_together(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, AGAIN_A, SAID)
    it.execute(step=1)
    it.execute(step=2)
    done = back(it)
    assert [[*rollback.steps] for rollback in done.rollbacks] == [[2], [1]]
    assert (it.world.read("a.txt"), it.marks(), it.status()) == ("one\n", "  ", "approved")


def test_a_step_that_an_earlier_run_began_and_did_not_finish_is_to_do_again(tmp_path: Path) -> None:
    ask = calls(call("ask_user", questions=[{"question": "Go on?"}]))
    it = scene(tmp_path, ask, CHANGE_A, SAID, AGAIN_A, SAID)
    it.answers(NobodyThere())
    assert it.execute().status == "paused"
    it.world.editor.answers.clear()
    second = it.execute()
    assert (second.status, it.marks()) == ("success", "xx")
    back(it, run=second.id)
    assert (it.world.read("a.txt"), it.marks(), it.status()) == ("one\n", "  ", "approved")


def test_a_run_is_taken_back_by_the_end_of_its_id(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, AGAIN_A, SAID)
    it.execute(step=1)
    second = it.execute(step=2)
    back(it, run=second.id[-12:])
    assert (it.world.read("a.txt"), it.marks()) == ("two\n", "x ")


def test_work_without_a_plan_is_taken_back_alike(tmp_path: Path) -> None:
    it = Scene(tmp_path, WRITE_A, SAID, mode=Mode.ACT)
    it.answers(YES)
    asyncio.run(run_without_plan(it.ws, it.session_id, "greet", None))
    assert "a.txt" in files(tmp_path)
    done = back(it, plan="")
    assert files(tmp_path) == {}
    [record] = it.ws.ports.records.executions()
    assert (record.rollbacks, record.rolled_back, record.to_roll_back) == (done.rollbacks, {0}, set())
    assert rollback_text(done) == "Rolled back by the user: “greet”\n- deleted a.txt"


def test_a_failed_step_is_taken_back_and_its_question_goes(tmp_path: Path) -> None:
    wrong = calls(call("create_file", path="a.txt", content="wrong\n"))
    it = Scene(tmp_path, wrong, SAID, SAID)
    it.write_plan(PLAN)
    it.answers(EXECUTE, NobodyThere())
    assert it.execute(Confirmation.UNLESS_APPROVED).status == "paused"
    assert (it.marks(), len(it.ws.questions.open())) == ("! ", 1)
    back(it, 1)
    assert (it.marks(), files(tmp_path), it.ws.questions.open()) == ("  ", {}, ())


def test_a_run_that_failed_in_its_call_left_nothing_to_take_back(tmp_path: Path) -> None:
    twice = calls(call("update_file", path="a.txt", edits=[{"old": "nowhere", "new": "x"}]))
    it = scene(tmp_path, twice, SAID)
    it.answers(answer(failed="stop"))
    it.execute(step=1)
    assert refused(it)[0] == "NOTHING_TO_ROLL_BACK"


# --- what others did


def test_a_file_that_moved_on_is_refused_with_what_happened_to_it(tmp_path: Path) -> None:
    it = scene(tmp_path, *ALL_KINDS)
    it.answers(YES, YES)
    it.execute(step=1)
    it.world.write("a.txt", "two\nand my own line\n")
    with pytest.raises(FilesMovedOn) as caught:
        back(it)
    assert caught.value.message == "nothing was rolled back: a.txt has changed since"
    assert caught.value.diff == ("--- a.txt (after the step)\n+++ a.txt (now)\n@@ -1 +1,2 @@\n two\n+and my own line\n")
    assert "old.txt" not in files(tmp_path)
    assert it.marks() == "x "


@pytest.mark.parametrize(
    ("act", "named"),
    [
        (lambda root: (root / "old.txt").write_text("mine\n"), "old.txt"),
        (lambda root: (root / "sub/new.txt").write_text("mine\n"), "sub/new.txt"),
        (lambda root: (root / "moved.txt").write_text("mine\n"), "moved.txt"),
        (lambda root: (root / "name.txt").write_text("mine\n"), "name.txt"),
        (lambda root: (root / "a.txt").unlink(), "a.txt"),
    ],
)
def test_whatever_others_did_to_a_file_nothing_is_taken_back(
    tmp_path: Path, act: Callable[[Path], object], named: str
) -> None:
    it = scene(tmp_path, *ALL_KINDS)
    it.answers(YES, YES)
    it.execute(step=1)
    act(tmp_path)
    assert refused(it) == ("FILE_MOVED_ON", f"nothing was rolled back: {named} has changed since")


def test_what_somebody_changed_between_two_steps_is_not_lost(tmp_path: Path) -> None:
    def edit() -> Reply:
        it.world.write("a.txt", "two\nmine\n")
        return SAID

    it = scene(tmp_path, CHANGE_A, lambda _: edit(), AGAIN_A, AGAIN_A, SAID)
    it.answers(EXECUTE, answer(stale="go_on"))
    it.execute(Confirmation.UNLESS_APPROVED)
    assert it.world.read("a.txt") == "three\nmine\n"
    assert refused(it) == ("FILE_MOVED_ON", "nothing was rolled back: a.txt has changed since")
    back(it, 2)
    assert it.world.read("a.txt") == "two\nmine\n"


def test_what_lies_in_a_folder_that_the_run_made_stays(tmp_path: Path) -> None:
    it = scene(tmp_path, *ALL_KINDS)
    it.answers(YES, YES)
    it.execute(step=1)
    it.world.write("sub/mine.txt", "mine\n")
    back(it)
    assert [name for name in files(tmp_path) if name.startswith("sub")] == ["sub/", "sub/mine.txt"]


def test_a_file_that_is_as_it_was_already_is_left_alone(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    it.execute(step=1)
    it.world.write("a.txt", "one\n")
    assert back(it).files == ()
    assert (it.marks(), it.world.read("a.txt")) == ("  ", "one\n")


def test_a_link_in_the_place_of_a_folder_is_not_followed(tmp_path: Path) -> None:
    it = scene(tmp_path / "work", *ALL_KINDS)
    it.answers(YES, YES)
    it.execute(step=1)
    (tmp_path / "work/sub").rename(tmp_path / "elsewhere")
    (tmp_path / "work/sub").symlink_to(tmp_path / "elsewhere")
    assert refused(it)[0] == "FILE_MOVED_ON"
    assert (tmp_path / "elsewhere/new.txt").read_text() == "new\n"


def test_permissions_that_others_gave_a_changed_file_stay(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    it.execute(step=1)
    (tmp_path / "a.txt").chmod(0o600)
    back(it)
    assert files(tmp_path)["a.txt"] == (b"one\n", 0o600)


# --- commands


def test_what_a_command_did_to_tracked_and_named_files_is_taken_back(tmp_path: Path) -> None:
    command = "sed -i s/name/other/ name.txt && rm old.txt && mkdir -p sub && echo x > sub/new.txt && chmod 600 a.txt"
    it = scene(tmp_path, calls(call("execute_command", command=command)), SAID)
    in_git(tmp_path)
    before = files(tmp_path)
    it.answers(YES)
    execution = it.execute(step=1)
    assert [(file.path, file.by_command, file.is_covered) for file in execution.steps[0].files] == [
        (path, True, True) for path in ("a.txt", "name.txt", "old.txt", "sub/new.txt")
    ]
    back(it)
    assert files(tmp_path) == before


def test_what_checks_and_other_commands_did_is_in_the_record_and_told_in_one_line(tmp_path: Path) -> None:
    plan = THREE.replace("moved.txt\n", "moved.txt\n  - check: `sed -i s/name/checked/ name.txt`\n", 1)
    command = "for n in 1 2 3 4 5 6; do echo x >> more$n.txt; done"
    it = scene(tmp_path, calls(call("execute_command", command=command)), SAID, plan=plan)
    for number in range(1, 7):
        it.world.write(f"more{number}.txt", "more\n")
    in_git(tmp_path)
    before = files(tmp_path)
    it.answers(answer(outcome="keep"))
    [record] = it.execute(step=1).steps
    assert [file.path for file in record.files] == [*(f"more{number}.txt" for number in range(1, 7)), "name.txt"]
    first = ", ".join(f"more{number}.txt" for number in range(1, 6))
    assert [adaptation.adapted_action for adaptation in record.adaptations] == [
        f"also changed {first} and 2 more files, by a command or a tool"
    ]
    back(it)
    assert files(tmp_path) == before


def test_what_a_command_did_and_nobody_can_put_back_is_told_and_stays(tmp_path: Path) -> None:
    command = "sed -i s/one/two/ a.txt && rm name.txt && mkfifo name.txt"
    it = scene(tmp_path, calls(call("execute_command", command=command)), SAID)
    in_git(tmp_path)
    it.answers(answer(outcome="keep"), answer(roll_back=True))
    execution = it.execute(step=1)
    covered = {file.path: file.is_covered for file in execution.steps[0].files}
    assert covered == {"a.txt": True, "name.txt": False}
    done = back(it, asks=True)
    assert (it.world.read("a.txt"), (tmp_path / "name.txt").is_fifo()) == ("one\n", True)
    assert execution.steps[0].uncovered == ()  # on trial all that changes is found
    assert done.stayed == ("name.txt",)
    [asked] = [each for each in it.asked if each.questions[0].name == "roll_back"]
    assert asked.questions[0].context.splitlines() == [
        "- restores a.txt",
        "- leaves as it is, since what was there before isn't known: name.txt",
    ]
    lines = report(execution).splitlines()
    assert "- Changed by what it ran, and can't be rolled back: `name.txt`" in lines


def test_a_command_that_was_killed_with_planact_is_told(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    execution = it.execute(step=1)
    started = {"call_id": "x", "tool": "execute_command", "arguments": '{"command": "make"}'}
    it.ws.ports.journal.append(it.session_id, execution.id, "call_started", started)
    assert back(it).stayed == ("whatever was changed by the command that was interrupted: `make`",)


# --- unsaved text


def test_the_file_that_the_editor_shows_unsaved_is_taken_back_only_as_the_step_left_it(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    it.execute(step=1)
    file = FileText("two\nand words that nobody saved\n", sha256="x")
    it.world.editor.buffers["a.txt"] = file
    assert refused(it) == ("FILE_MOVED_ON", "nothing was rolled back: a.txt has changed since")
    assert it.world.editor.buffers["a.txt"] == file


def test_a_rollback_that_was_killed_is_told_until_the_next_has_finished_it(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    run = it.execute(step=1)
    it.ws.ports.journal.append(run.session_id, run.id, "rollback_started", {"id": "killed"})
    assert [each.id for each in find_interrupted_rollbacks(it.ws)] == [run.id]
    warn_of_interrupted_rollbacks(it.ws, it.session_id)
    (told,) = [each for each in it.world.editor.notices if isinstance(each, ToolNotice) and each.tool == "recovery"]
    assert told.text.endswith(f"Go on with the rollback: planact rollback {run.id}")
    back(it)
    assert find_interrupted_rollbacks(it.ws) == []


# --- a journal of many runs


class Reading(MemoryJournal):
    """Notes which runs are read."""

    was_read: set[str]

    def read(self, execution_id: str, kinds: Collection[str] = ()) -> Sequence[JournalEntry]:
        self.was_read.add(execution_id)
        return super().read(execution_id, kinds)


@pytest.mark.parametrize("named", [True, False])
def test_of_many_runs_only_those_are_read_that_it_is_about_and_that_came_after(tmp_path: Path, named: bool) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    run = it.execute(step=1)
    journal = Reading(it.world.store.log, it.ws.ports.clock)
    done = [entry for entry in it.world.store.journal.entries if entry.execution_id == run.id]
    ends = [entry for entry in done if entry.kind in ("run_started", "run_finished")]
    ends = [replace(entry, data={**entry.data, "path": "other.plan"}) for entry in ends]
    before = [replace(end, execution_id=f"old-{number}") for number in range(1_500) for end in ends]
    after = [replace(end, execution_id=f"new-{number}") for number in range(3) for end in ends]
    journal.entries = [replace(entry, sequence=number) for number, entry in enumerate([*before, *done, *after], 1)]
    journal.images, journal.was_read = it.world.store.journal.images, set()
    it.ws.ports = replace(it.ws.ports, journal=journal)
    back(it, run=run.id if named else "", plan="")
    assert it.world.read("a.txt") == "one\n"
    assert {name for name in journal.was_read if name.startswith("old-")} == set()
