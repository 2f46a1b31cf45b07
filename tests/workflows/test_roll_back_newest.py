"""A rollback that names no run takes the newest that left a file changed."""

from pathlib import Path

from tests.fakes.world import call, calls
from tests.workflows.rolled_back import CHANGE_A, back, refused, scene
from tests.workflows.scene import SAID


def test_without_a_name_it_is_the_newest_run_that_changed_something(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, calls(call("read_file", path="a.txt")), SAID)
    it.execute()
    back(it, plan="")
    assert it.world.read("a.txt") == "one\n"


def test_without_a_name_one_that_left_all_as_it_was_is_passed_over(tmp_path: Path) -> None:
    there, back_again = (
        calls(call("update_file", path="name.txt", edits=[{"old": old, "new": new}]))
        for old, new in (("name", "other"), ("other", "name"))
    )
    it = scene(tmp_path, CHANGE_A, SAID, there, back_again, SAID)
    it.execute(step=1)
    it.execute(step=2)
    back(it, plan="")
    assert (it.world.read("a.txt"), it.marks()) == ("one\n", " x")
    assert refused(it, plan="")[0] == "NOTHING_TO_ROLL_BACK"
