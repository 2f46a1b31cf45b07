from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from planact.base.errors import InvalidInput
from planact.base.paths import Place
from planact.model.runs.change import Change
from planact.model.runs.execution import FileChange
from planact.tools.permits.permit import Permit
from planact.tools.read_access import ReadAccess
from planact.tools.tool_result import Done, Failed
from planact.tools.trace import Trace
from tests.fakes.bench import ACT, Bench


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


@pytest.mark.parametrize(
    ("answer", "is_saved", "runs"), [("saved", True, True), ("saved", False, False), ("no", True, False)]
)
def test_a_user_whose_editor_saves_nothing_itself_is_asked_to(
    tmp_path: Path, answer: str, is_saved: bool, runs: bool
) -> None:
    bench = Bench(tmp_path, replace(ACT, planned_commands=frozenset({"cat a.py"})), answer)
    bench.world.write("a.py", "x")
    bench.trace.touched = frozenset({"a.py"})
    bench.world.editor.unsavable.add("a.py")
    bench.listener.meanwhile = lambda: is_saved and bench.world.editor.unsavable.clear()
    outcome = bench.run("execute_command", command="cat a.py")
    assert isinstance(outcome, Done if runs else Failed)
    assert "a.py" in bench.listener.asked[0].question


MARK = "[redacted]"


@pytest.mark.parametrize("secret", ["token = 'a1'", f"token = '{MARK}'"])
def test_what_stands_for_a_secret_gets_into_no_file_that_has_it_not_already(tmp_path: Path, secret: str) -> None:
    bench = Bench(tmp_path, replace(ACT, approval="acceptAll"))
    bench.world.write("a.py", f"{secret}\nx = 1\n")
    written = [{"old": secret, "new": f"token = '{MARK}'  # as it was"}]
    outcomes = [
        bench.run("create_file", path="b.py", content=f"token = '{MARK}'\n"),
        bench.run("update_file", path="a.py", edits=written),
        bench.run("update_file", path="a.py", edits=[{"old": "x = 1", "new": "x = 2"}]),
    ]
    codes = [outcome.code if isinstance(outcome, Failed) else "" for outcome in outcomes]
    assert codes == ["EDIT_REFUSED", "" if MARK in secret else "EDIT_REFUSED", ""]
    assert [*bench.world.tree()] == ["a.py"]
    assert bench.world.read("a.py").endswith("\nx = 2\n")


def test_a_change_that_failed_for_whatever_reason_is_written_down_as_not_made(tmp_path: Path) -> None:
    bench = Bench(tmp_path, replace(ACT, approval="acceptAll"))

    async def fail(*_: object) -> tuple[FileChange, ...]:
        raise InvalidInput("FILE_UNREADABLE", "a.py can't be read any more", "Look at it.")

    bench.world.editor.apply = fail  # type: ignore[method-assign]
    outcome = bench.run("create_file", path="a.py", content="x")
    assert isinstance(outcome, Failed)
    assert outcome.code == "FILE_UNREADABLE"
    written = [(entry.kind, entry.data.get("paths")) for entry in bench.world.store.journal.entries]
    assert written[1:3] == [("files_changing", None), ("files_unchanged", ["a.py"])]


def test_a_link_that_is_there_only_while_a_change_is_made_out_and_made_leads_it_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(tmp_path / "ws", replace(ACT, approval="acceptAll"))
    bench.world.write("d/a", "")
    folder, outside = tmp_path / "ws" / "d", tmp_path / "out"
    place, check = ReadAccess.place, Permit._check
    outside.mkdir()

    def put_link() -> None:
        folder.rename(tmp_path / "ws" / "e")
        folder.symlink_to(outside)

    def swapped(access: ReadAccess, path: str) -> Place:
        put_link()
        found = place(access, path)
        folder.unlink()
        (tmp_path / "ws" / "e").rename(folder)
        return found

    def checked(permit: Permit, changes: Sequence[Change]) -> None:
        check(permit, changes)
        put_link()

    monkeypatch.setattr(ReadAccess, "place", swapped)
    monkeypatch.setattr(Permit, "_check", checked)
    outcome = bench.run("create_file", path="d/b", content="x")
    assert isinstance(outcome, Failed)
    assert (outcome.code, [*outside.iterdir()]) == ("EDIT_CONFLICT", [])
