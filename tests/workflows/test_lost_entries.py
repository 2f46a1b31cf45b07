"""What is made of a journal of which entries are missing: nothing is taken for known, nothing for somebody else's."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from planact.model.runs.journal import JournalEntry
from tests.fakes.world import answer
from tests.workflows.rolled_back import AGAIN_A, CHANGE_A, back, refused, scene
from tests.workflows.scene import PATH, SAID, Scene

Which = Callable[[JournalEntry], bool]


def lose(it: Scene, first: Which, last: Which) -> None:
    """Put one entry that says so in the place of those from the first to the last."""
    entries = it.world.store.journal.entries
    start = next(number for number, entry in enumerate(entries) if first(entry))
    end = next(number for number, entry in enumerate(entries) if number >= start and last(entry))
    entries[start : end + 1] = [replace(entries[start], kind="entries_lost", data={})]


def is_of(kind: str, step: int = 0) -> Which:
    def is_it(entry: JournalEntry) -> bool:
        number = entry.data.get("step_number", entry.data.get("step", {}).get("step_number"))
        return entry.kind == kind and step in (0, number)

    return is_it


def test_what_came_after_a_gap_is_not_taken_for_the_work_of_the_step_before_it(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, AGAIN_A, SAID)
    it.execute()
    lose(it, is_of("step_finished", 1), is_of("step_started", 2))
    assert refused(it, 1) == ("FILE_MOVED_ON", "nothing was rolled back: a.txt was changed by later work of “Greet”")
    done = back(it)
    assert it.world.read("a.txt") == "one\n"
    assert done.stayed == ("whatever was changed by what is missing in the journal, which was damaged",)


def test_a_step_in_which_entries_are_missing_is_asked_about_before_it_runs_again(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, SAID)
    it.execute(step=1)
    lose(it, is_of("call_started"), is_of("run_finished"))
    it.world.write(PATH, it.document().file.text.replace("[x]", "[ ]"))
    it.answers(answer(interrupted="stop"))
    execution = it.execute(step=1)
    (asked,) = it.asked
    told = "Step 1 was interrupted after it began work that the journal, which was damaged, doesn't tell of."
    assert asked.questions[0].question == f"{told} Run the step again?"
    assert (execution.status, it.world.read("a.txt")) == ("paused", "two\n")
