"""A rollback that names no run takes the newest that left a file changed."""

from itertools import pairwise
from pathlib import Path

import pytest

from planact.model.runs.touch import NOTHING, FileState, Touch
from planact.workflows.history.undo_changes import FileTouch, StepRef
from planact.workflows.history.undo_log import UndoLog
from tests.fakes.world import call, calls
from tests.workflows.rolled_back import CHANGE_A, back, scene
from tests.workflows.scene import SAID

ONE, TWO = (FileState(kind="file", sha256=each * 64) for each in "12")


def test_without_a_name_it_is_the_newest_run_that_changed_something(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, calls(call("read_file", path="a.txt")), SAID)
    it.execute()
    back(it, plan="")
    assert it.world.read("a.txt") == "one\n"


@pytest.mark.parametrize(
    ("states", "leaves"),
    [
        ([NOTHING, ONE], True),
        ([NOTHING, ONE, TWO], True),
        ([NOTHING, ONE, NOTHING], False),
        ([ONE, TWO, NOTHING, ONE], False),
        ([ONE], False),
    ],
)
def test_one_that_left_all_as_it_was_is_passed_over(states: list[FileState], *, leaves: bool) -> None:
    touches = [Touch(path="a", before=one, after=next_) for one, next_ in pairwise(states)]
    log = UndoLog(deeds=[FileTouch(StepRef("run", 1), number, touch) for number, touch in enumerate(touches)])
    assert log.leaves_changes == leaves
