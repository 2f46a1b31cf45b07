from planact.model.execution import FileChange
from planact.tools.permit import Trace


def changed(*changes: tuple[str, str, str]) -> list[tuple[str, str, str]]:
    trace = Trace()
    for path, before, after in changes:
        trace.note(FileChange(path=path, before=before, after=after))
    return [(change.path, change.before, change.after) for change in trace.changed.values()]


def test_changes_of_one_file_are_one_from_its_first_state_to_its_last() -> None:
    assert changed(("a", "1", "2"), ("b", "", "x"), ("a", "2", "3")) == [("a", "1", "3"), ("b", "", "x")]


def test_a_file_that_was_made_and_deleted_is_not_said_to_be_there() -> None:
    assert changed(("a", "", "1"), ("a", "1", "")) == [("a", "", "")]


def test_directories_are_no_files() -> None:
    assert changed(("folder", "", "")) == []
