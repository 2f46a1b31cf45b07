from dataclasses import replace
from pathlib import Path

import pytest

from planact.base.filetext import FileText
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, Bench

ANYTHING = replace(ACT, approval="acceptAll")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path, ANYTHING)
    made.world.write("a.py", "x = 1\ny = 2\nx = 1\n")
    return made


def patch(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch"))


def test_all_edits_of_a_call_are_made(bench: Bench) -> None:
    edits = [{"old": "y = 2", "new": "y = 3"}, {"old": "x = 1", "new": "z = 1", "replace_all": True}]
    assert bench.run("update_file", path="a.py", edits=edits) == Done("changed a.py: 3 places")
    assert bench.world.read("a.py") == "z = 1\ny = 3\nz = 1\n"


def test_line_ends_mark_and_mode_are_kept(bench: Bench) -> None:
    path = bench.world.root / "b.py"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    path.chmod(0o755)
    bench.run("update_file", path="b.py", edits=[{"old": "one\ntwo", "new": "1\n2"}])
    assert path.read_bytes() == b"\xef\xbb\xbf1\r\n2\r\n"
    assert path.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize(
    "arguments",
    [
        {"edits": [{"old": "\ufeffone\n", "new": "\ufeff1\n"}]},
        {"edits": [{"old": "one", "new": "\ufeff1"}]},
        {"patch": "*** Begin Patch\n*** Update File: b.py\n@@\n-\ufeffone\n+\ufeff1\n two\n*** End Patch"},
        {"patch": "*** Begin Patch\n*** Delete File: b.py\n*** Add File: b.py\n+1\n+two\n*** End Patch"},
    ],
)
def test_a_mark_that_is_sent_is_never_doubled(bench: Bench, arguments: dict[str, object]) -> None:
    path = bench.world.root / "b.py"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    assert isinstance(bench.run("update_file", **{"path": "b.py"} if "edits" in arguments else {}, **arguments), Done)
    assert path.read_bytes() == b"\xef\xbb\xbf1\r\ntwo\r\n"


def test_updates_of_one_file_are_made_in_their_order_and_are_one_change(bench: Bench) -> None:
    text = patch("*** Update File: a.py", " y = 2", "-x = 1", "+x = 3", "*** Update File: a.py", "-x = 1", "+w = 1")
    assert bench.run("update_file", patch=text) == Done("changed a.py")
    assert bench.world.read("a.py") == "w = 1\ny = 2\nx = 3\n"


def test_a_file_that_is_deleted_and_added_is_changed_and_must_be_there(bench: Bench) -> None:
    lines = ("*** Delete File: a.py", "*** Add File: a.py", "+z = 1")
    assert bench.run("update_file", patch=patch(*lines)) == Done("changed a.py")
    assert bench.world.read("a.py") == "z = 1\n"
    assert isinstance(bench.run("update_file", patch=patch(*lines).replace("a.py", "none.py")), Failed)
    assert "none.py" not in bench.world.tree()


@pytest.mark.parametrize(
    ("edits", "code"),
    [
        ([{"old": "x = 1", "new": "x = 2"}], "EDIT_AMBIGUOUS"),
        ([{"old": "nowhere", "new": ""}], "EDIT_NOT_FOUND"),
        ([{"old": "y = 2", "new": "y = 3"}, {"old": "nowhere", "new": ""}], "EDIT_NOT_FOUND"),
        ([{"old": "y = 2", "new": "y = 2"}], "EDIT_REFUSED"),
        ([], "INVALID_ARGUMENTS"),
    ],
)
def test_a_call_that_does_not_fit_changes_nothing(bench: Bench, edits: list[dict[str, str]], code: str) -> None:
    before = bench.world.tree()
    outcome = bench.run("update_file", path="a.py", edits=edits)
    assert isinstance(outcome, Failed)
    assert (outcome.code, bool(outcome.hint)) == (code, True)
    assert bench.world.tree() == before


def test_either_edits_or_a_patch(bench: Bench) -> None:
    outcome = bench.run("update_file", path="a.py", patch=patch("*** Delete File: a.py"))
    assert isinstance(outcome, Failed)
    assert outcome.code == "INVALID_ARGUMENTS"


def test_a_patch_changes_several_files_at_once(bench: Bench) -> None:
    bench.world.write("old.py", "gone\n")
    text = patch(
        "*** Add File: new/n.py",
        "+n = 1",
        "*** Update File: a.py",
        "*** Move to: moved.py",
        "@@",
        "-y = 2",
        "+y = 3",
        "*** Delete File: old.py",
    )
    assert isinstance(bench.run("update_file", patch=text), Done)
    assert bench.world.tree() == {"new/n.py": b"n = 1\n", "moved.py": b"x = 1\ny = 3\nx = 1\n"}
    assert sorted(bench.trace.changed) == ["a.py", "moved.py", "new/n.py", "old.py"]


@pytest.mark.parametrize(
    "lines",
    [
        ("*** Add File: n.py", "+x", "*** Update File: a.py", "@@", "-nowhere", "+y"),
        ("*** Add File: n.py", "+x", "*** Add File: a.py", "+over"),
        ("*** Add File: n.py", "+x", "*** Delete File: missing.py"),
        ("*** Add File: n.py", "+x", "*** Update File: a.py", "*** Move to: n.py", "@@", "-y = 2", "+y"),
        ("this is no patch",),
    ],
)
def test_a_patch_that_does_not_fit_changes_nothing(bench: Bench, lines: tuple[str, ...]) -> None:
    before = bench.world.tree()
    assert isinstance(bench.run("update_file", patch=patch(*lines)), Failed)
    assert bench.world.tree() == before


@pytest.mark.parametrize(
    "lines",
    [
        ("*** Update File: a.py", "@@", "-y = 2", "+y = 3", "*** Add File: ../out.py", "+x"),
        ("*** Update File: a.py", "*** Move to: .git/hooks/x", "@@", "-y = 2", "+y = 3"),
        ("*** Update File: a.py", "@@", "-y = 2", "+y = 3", "*** Delete File: .planact/config.toml"),
    ],
)
def test_one_bad_file_refuses_the_whole_patch(bench: Bench, lines: tuple[str, ...]) -> None:
    before = bench.world.tree()
    assert isinstance(bench.run("update_file", patch=patch(*lines)), Refused)
    assert bench.world.tree() == before


def test_a_patch_that_deletes_asks_also_where_edits_are_accepted(tmp_path: Path) -> None:
    bench = Bench(tmp_path, replace(ACT, approval="acceptEdits"), "reject_once")
    bench.world.write("a.py", "x\n")
    assert isinstance(bench.run("update_file", patch=patch("*** Delete File: a.py")), Refused)
    assert bench.listener.asked[0].question.startswith("Delete `a.py`? ")


def test_a_file_that_changed_under_the_editor_is_not_written_over(bench: Bench) -> None:
    bench.world.editor.buffers["a.py"] = FileText("y = 2\n", sha256="0" * 64, version=4)
    outcome = bench.run("update_file", path="a.py", edits=[{"old": "y = 2", "new": "y = 3"}])
    assert isinstance(outcome, Failed)
    assert outcome.code == "EDIT_CONFLICT"
    assert bench.world.read("a.py") == "x = 1\ny = 2\nx = 1\n"
