from dataclasses import replace
from pathlib import Path

import pytest

from planact.tools.edit.known_texts import KnownTexts
from planact.tools.tool_result import Done, Failed
from tests.fakes.bench import ACT, Bench

TEXT = "x = 1\ny = 2\nz = 3\n"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path, ACT)
    made.world.write("a.py", TEXT)
    return made


def edit(bench: Bench, old: str = "y = 2", new: str = "y = 3") -> tuple[str, str]:
    """Code and hint of what came of it; both empty = it was made."""
    outcome = bench.run("update_file", path="a.py", edits=[{"old": old, "new": new}])
    return (outcome.code, outcome.hint) if isinstance(outcome, Failed) else ("", "")


def test_an_edit_of_a_text_that_others_changed_since_is_refused_once_and_told_what_changed(bench: Bench) -> None:
    bench.run("read_file", path="a.py")
    bench.world.write("a.py", TEXT.replace("x = 1", "x = 1\nmine = 0"))
    code, hint = edit(bench)
    assert code == "EDIT_CONFLICT"
    assert hint.endswith("@@ -1,4 +1,5 @@\n x = 1\n+mine = 0\n y = 2\n z = 3\n ")
    assert bench.world.read("a.py") == "x = 1\nmine = 0\ny = 2\nz = 3\n"
    assert edit(bench) == ("", "")
    assert bench.world.read("a.py") == "x = 1\nmine = 0\ny = 3\nz = 3\n"


def test_whoever_types_on_keeps_the_agent_from_an_edit_only_once(bench: Bench) -> None:
    bench.run("read_file", path="a.py")
    bench.world.write("a.py", f"m\n{TEXT}")
    assert edit(bench)[0] == "EDIT_CONFLICT"
    bench.world.write("a.py", f"mi\n{TEXT}")
    outcome = bench.run("update_file", path="a.py", edits=[{"old": "y = 2", "new": "y = 3"}])
    assert isinstance(outcome, Done)
    assert outcome.text.startswith("changed a.py: 1 place\nAnother program changes it too.")
    assert "\n-m\n+mi\n" in outcome.text
    assert bench.world.read("a.py") == "mi\nx = 1\ny = 3\nz = 3\n"
    bench.world.write("a.py", "min\nx = 1\ny = 3\nz = 3\n")
    assert edit(bench, "y = 3", "y = 4")[0] == "EDIT_CONFLICT"


def test_a_patch_is_refused_like_edits(bench: Bench) -> None:
    bench.run("read_file", path="a.py")
    bench.world.write("a.py", f"mine\n{TEXT}")
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-y = 2\n+y = 3\n*** End Patch"
    outcome = bench.run("update_file", patch=patch)
    assert isinstance(outcome, Failed)
    assert (outcome.code, "+mine" in outcome.hint) == ("EDIT_CONFLICT", True)


def test_a_file_that_it_made_is_known(bench: Bench) -> None:
    (bench.world.root / "a.py").unlink()
    assert isinstance(bench.run("create_file", path="a.py", content=TEXT), Done)
    bench.world.write("a.py", f"mine\n{TEXT}")
    assert edit(bench)[0] == "EDIT_CONFLICT"


def test_its_own_edits_and_files_that_were_never_read_are_no_conflict(bench: Bench) -> None:
    assert edit(bench) == ("", "")
    assert edit(bench, "y = 3", "y = 4") == ("", "")
    bench.run("read_file", path="a.py")
    assert edit(bench, "y = 4", "y = 5") == ("", "")


def test_what_the_user_types_after_an_edit_is_told_with_the_next_one(bench: Bench) -> None:
    edit(bench)
    bench.world.write("a.py", "mine\nx = 1\ny = 3\nz = 3\n")
    code, hint = edit(bench, "z = 3", "z = 4")
    assert (code, "+mine" in hint) == ("EDIT_CONFLICT", True)


def test_what_the_user_does_at_the_moment_of_an_edit_is_told_at_once(bench: Bench) -> None:
    bench.run("read_file", path="a.py")
    bench.world.editor.meanwhile = lambda: bench.world.write("a.py", f"mine\n{TEXT}")
    code, hint = edit(bench)
    assert code == "EDIT_CONFLICT"
    assert hint.endswith("@@ -1,3 +1,4 @@\n+mine\n x = 1\n y = 2\n z = 3")
    assert bench.world.read("a.py") == f"mine\n{TEXT}"
    bench.world.editor.meanwhile = lambda: None
    assert edit(bench) == ("", "")


def test_line_ends_alone_are_no_change(bench: Bench) -> None:
    bench.run("read_file", path="a.py")
    bench.world.write("a.py", TEXT.replace("\n", "\r\n"))
    assert edit(bench) == ("", "")


def test_what_its_own_command_changes_is_no_conflict_and_what_the_user_did_before_it_is(bench: Bench) -> None:
    bench.standing = replace(bench.standing, approval="acceptAll")
    bench.run("read_file", path="a.py")
    assert isinstance(bench.run("execute_command", command="sed -i s/x/w/ a.py"), Done)
    assert edit(bench) == ("", "")
    bench.world.write("a.py", "mine\n")
    bench.run("execute_command", command="sed -i s/m/n/ a.py")
    assert edit(bench, "nine", "ten")[0] == "EDIT_CONFLICT"


def test_a_file_that_its_command_deleted_is_known_no_more(bench: Bench) -> None:
    bench.standing = replace(bench.standing, approval="acceptAll")
    bench.run("read_file", path="a.py")
    assert isinstance(bench.run("execute_command", command="rm a.py"), Done)
    assert bench.trace.known.paths() == ()


def test_what_is_too_much_to_keep_is_unknown() -> None:
    known = KnownTexts()
    known.note("large", "x" * 600_000)
    for number in range(9):
        known.note(f"{number}", "x" * 500_000)
    assert known.paths() == tuple(f"{number}" for number in range(1, 9))
    assert known.difference("0", "y") == ""


def test_a_long_difference_is_cut() -> None:
    known = KnownTexts()
    known.note("a", "")
    told = known.difference("a", "line\n" * 10_000)
    assert (len(told) < 10_000, told.endswith("read the file.")) == (True, True)


def test_a_file_that_others_changed_since_is_not_deleted_unseen(bench: Bench) -> None:
    bench.standing = replace(ACT, approval="acceptAll")
    bench.run("read_file", path="a.py")
    bench.world.write("a.py", f"mine = 0\n{TEXT}")
    outcome = bench.run("delete_file", path="a.py")
    assert isinstance(outcome, Failed)
    assert (outcome.code, "+mine = 0" in outcome.hint) == ("EDIT_CONFLICT", True)
    assert bench.world.read("a.py") == f"mine = 0\n{TEXT}"
    assert isinstance(bench.run("delete_file", path="a.py"), Done)
