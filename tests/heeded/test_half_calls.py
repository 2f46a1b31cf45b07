"""A call over several files is made whole or not at all, also where SIGKILL comes between two of them."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.zygote import Zygote
from tests.heeded.killed_program import PLAN_PATH, KilledProgram, call

PLAN = """---
format_version: "1.0"
id: plan_20261120_hhhh
---
# Greet in three files

## Steps
- [ ] 1. Say hello in all of them
  - reason: one without the others makes no sense
  - files: a.txt, b.txt, new/c.txt
"""
BEFORE = {"a.txt": "old a\n", "b.txt": "old b\n"}
NAMES = ("a.txt", "b.txt", "new/c.txt")
OLD = ["old a\n", "old b\n", None]
NEW = ["new a\n", "new b\n", "new c\n"]
PATCH = """*** Begin Patch
*** Update File: a.txt
@@
-old a
+new a
*** Update File: b.txt
@@
-old b
+new b
*** Add File: new/c.txt
+new c
*** End Patch
"""
READ = [call("read_file", path="a.txt"), call("read_file", path="b.txt")]
PATCHED = [call("update_file", patch=PATCH)]
KILLED = -signal.SIGKILL
AT_C = ("file", "c.txt")


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


@pytest.fixture
def killed(tmp_path: Path, zygote: Zygote) -> KilledProgram:
    """Two of the three files are changed, the third one's folder is made."""
    it = program(tmp_path, zygote)
    it.model_says(READ, PATCHED, "All three say hello.")
    assert it.act(moment=AT_C).code == KILLED
    assert (it.texts(*NAMES), (it.folder / "new").is_dir()) == (["new a\n", "new b\n", None], True)
    return it


def program(tmp_path: Path, zygote: Zygote, plan: str = PLAN) -> KilledProgram:
    return KilledProgram(tmp_path, zygote, plan, BEFORE)


def test_the_next_run_undoes_it_before_the_model_speaks_and_takes_it_for_no_evidence(killed: KilledProgram) -> None:
    killed.model_says([call("read_file", path="a.txt")], "Everything is in place already.")
    ran = killed.act()
    assert ran.code == 1, ran
    assert killed.texts(*NAMES) == OLD
    assert not (killed.folder / "new").exists()
    assert killed.marks() == ["!"]
    assert "undid a call that was killed half-way: a.txt, b.txt" in ran.err
    first, second = killed.records()
    assert first["status"] == "aborted"
    (step,) = second["steps"]
    assert (step["status"], step["unchanged"], step["files"]) == ("failed", list(NAMES), [])


def test_the_next_run_can_do_it_whole_in_other_words(killed: KilledProgram) -> None:
    again = [call("update_file", patch=PATCH.replace("new b", "fresh b"))]
    killed.model_says([READ[1]], again, "Now they greet.")
    assert killed.act().code == 0
    assert killed.texts(*NAMES) == ["new a\n", "fresh b\n", "new c\n"]
    assert killed.marks() == ["x"]
    assert killed.run("rollback", "--yes").code == 0
    assert killed.texts(*NAMES) == OLD


def test_work_without_a_plan_undoes_it_first_too(killed: KilledProgram) -> None:
    killed.model_says([call("create_file", path="other.txt", content="x\n")], "Written.")
    assert killed.run("chat", "--mode", "act", "write other.txt").code == 0
    assert (killed.texts(*NAMES), killed.text("other.txt")) == (OLD, "x\n")


def test_rollback_undoes_it_and_that_is_something(killed: KilledProgram) -> None:
    ran = killed.run("rollback", "--yes")
    assert ran.code == 0, ran
    assert killed.texts(*NAMES) == OLD
    assert "a.txt" in ran.err
    assert killed.run("rollback", "--yes").code == 1


def test_a_file_that_the_user_changed_meanwhile_stays_and_is_told(killed: KilledProgram) -> None:
    killed.write("a.txt", "mine\n")
    killed.model_says("Nothing.")
    ran = killed.act()
    assert killed.texts(*NAMES) == ["mine\n", "old b\n", None]
    assert "a.txt is neither what it was before the run nor what it was to become: look at it" in ran.err


def test_until_then_doctor_the_plan_and_the_conversation_tell_of_it(killed: KilledProgram) -> None:
    told = "a call that was killed half-way: it changed a.txt, b.txt, and not new/c.txt"
    doctor = killed.run("doctor")
    assert doctor.code == 1
    assert told in doctor.out
    assert told in killed.run("plan", "lint", PLAN_PATH).out
    assert told in killed.run("chat", "What is this?").err
    assert killed.texts(*NAMES) == ["new a\n", "new b\n", None]  # telling changes nothing
    assert killed.run("rollback", "--yes").code == 0
    assert told not in killed.run("doctor").out
    assert told not in killed.run("plan", "lint", PLAN_PATH).out


@pytest.mark.parametrize("moment", [("temporary", "b.txt"), ("before", 1), ("after", 1), ("after", 2)], ids=str)
def test_killed_again_while_it_is_undone_the_next_goes_on_with_that(killed: KilledProgram, moment: Any) -> None:
    assert killed.run("rollback", "--yes", moment=moment).code == KILLED
    killed.run("rollback", "--yes")
    assert killed.texts(*NAMES) == OLD
    assert killed.temporary_files() == []


def test_a_call_that_was_made_whole_stays(tmp_path: Path, zygote: Zygote) -> None:
    """Only the word that it was made is missing."""
    it = program(tmp_path, zygote, PLAN + "  - check: `grep -q new new/c.txt`\n")
    it.model_says(READ, PATCHED, "All three say hello.")
    whole = program(tmp_path / "whole", zygote, it.plan)
    whole.model_says(READ, PATCHED, "All three say hello.")
    assert whole.act().code == 0
    made = [kind for _, kind in entries(whole)].index("files_changing") + 2
    assert it.act(moment=("before", made)).code == KILLED
    assert it.texts(*NAMES) == NEW
    it.model_says([call("read_file", path="new/c.txt")], "It is all there.")
    assert it.act().code == 0
    assert (it.texts(*NAMES), it.marks()) == (NEW, ["x"])


def entries(it: KilledProgram) -> list[tuple[str, str]]:
    return it.rows("SELECT execution_id, kind FROM journal ORDER BY sequence")


def test_a_step_that_left_out_a_file_that_it_names_is_not_done(tmp_path: Path, zygote: Zygote) -> None:
    it = program(tmp_path, zygote)
    it.model_says([READ[0]], [call("update_file", path="a.txt", edits=[{"old": "old", "new": "new"}])], "Done.")
    assert it.act().code == 1
    (step,) = it.records()[0]["steps"]
    assert (step["unchanged"], it.marks()) == (["b.txt", "new/c.txt"], ["!"])
    assert "b.txt, new/c.txt" in step["error"]


def test_what_a_check_covers_is_done_and_its_record_says_what_was_left_out(tmp_path: Path, zygote: Zygote) -> None:
    it = program(tmp_path, zygote, PLAN + "  - check: `grep -q new a.txt`\n")
    it.model_says([READ[0]], [call("update_file", path="a.txt", edits=[{"old": "old", "new": "new"}])], "Done.")
    assert it.act().code == 0
    (step,) = it.records()[0]["steps"]
    assert (step["unchanged"], it.marks()) == (["b.txt", "new/c.txt"], ["x"])
    assert "Named and not changed: `b.txt`" in it.run("executions", "show", "--markdown").out


def test_what_a_killed_rollback_left_lying_about_goes_at_the_next_start(tmp_path: Path, zygote: Zygote) -> None:
    it = program(tmp_path, zygote)
    it.model_says(READ, PATCHED, "All three say hello.")
    assert it.act().code == 0
    assert it.run("rollback", "--yes", moment=("temporary", "b.txt")).code == KILLED
    assert it.temporary_files() != []
    it.run("chat", "What is this?")
    assert it.temporary_files() == []
