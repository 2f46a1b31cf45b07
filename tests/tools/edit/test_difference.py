import re
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.base.filetext import FileText
from planact.base.paths import Place
from planact.base.span import Span, TextEdit, apply_edits
from planact.model.notice import EditedFile
from planact.model.runs.change import Change, CreateFile, DeleteFile, MakeDirectory, RenameFile, ReplaceText
from planact.tools.edit.difference import difference, line_counts

HEADER = re.compile(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@")


def place(path: str) -> Place:
    return Place(path, PurePosixPath("/ws") / path, PurePosixPath(path))


def replaced(text: str, *edits: TextEdit) -> ReplaceText:
    return ReplaceText(place("a.py"), FileText(text), edits)


def edit(start: int, end: int, new: str) -> TextEdit:
    return TextEdit(Span(start, end), new)


def test_each_kind_of_change_is_named() -> None:
    text = "".join(f"line {number}\n" for number in range(1, 21))
    changes: list[Change] = [
        replaced(text, edit(7, 13, "one\r\ntwo"), edit(len(text) - 8, len(text) - 1, "last")),
        CreateFile(place("b.py"), "x\ny\n"),
        DeleteFile(place("c.py"), "0" * 64, "z\n"),
        RenameFile(place("d.py"), place("e.py")),
        MakeDirectory(place("f")),
    ]
    assert difference(changes, 10_000).splitlines() == [
        *("--- a.py", "+++ a.py"),
        *("@@ -1,5 +1,6 @@", " line 1", "-line 2", "+one", "+two", " line 3", " line 4", " line 5"),
        *("@@ -17,4 +18,4 @@", " line 17", " line 18", " line 19", "-line 20", "+last"),
        *("--- /dev/null", "+++ b.py", "+x", "+y"),
        *("--- c.py", "+++ /dev/null", "-z"),
        *("rename from d.py", "rename to e.py"),
        "new folder f",
    ]


def test_the_lines_of_each_file_are_counted() -> None:
    changes: list[Change] = [
        replaced("one\n-- two\nthree\n", edit(0, 10, "1\n++ 2\n2")),
        CreateFile(place("b.py"), "x\ny\n"),
        DeleteFile(place("c.py"), "0" * 64, "z\n"),
        RenameFile(place("d.py"), place("e.py")),
        MakeDirectory(place("f")),
    ]
    assert [*line_counts(changes)] == [
        EditedFile("a.py", 3, 2),
        EditedFile("b.py", 2),
        EditedFile("c.py", 0, 1),
        EditedFile("d.py → e.py"),
        EditedFile("f"),
    ]


def test_a_file_of_one_line_shows_that_line_alone() -> None:
    shown = difference([replaced("hello\n", edit(0, 5, "goodbye"))], 1_000).splitlines()[2:]
    assert shown == ["@@ -1,1 +1,1 @@", "-hello", "+goodbye"]


def test_a_change_of_line_ends_alone_is_not_hidden() -> None:
    assert difference([replaced("a\r\nb", edit(1, 3, "\n"))], 1_000).splitlines()[-1] == "(line ends)"


def test_what_is_left_out_is_said_to_be() -> None:
    assert (
        difference([CreateFile(place("b.py"), "x\n" * 100)], 40)
        == "--- /dev/null\n+++ b.py\n" + "+x\n" * 5 + "… and more"
    )


LINES = st.lists(st.sampled_from(["a", "b", "", "longer"]), max_size=40)


@given(LINES, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9), LINES.map("\n".join)), max_size=6))
def test_the_difference_applied_to_the_old_text_gives_the_new_one(
    lines: list[str], wanted: list[tuple[int, int, str]]
) -> None:
    text, edits, at = "\n".join(lines), [], 0
    for start, length, new in sorted(wanted):
        if at <= start <= len(text):
            at = min(len(text), start + length)
            edits.append(edit(start, at, new))
            at += 1  # no two at one place: their order would be a matter of taste
    shown = difference([replaced(text, *edits)], 1_000_000)
    assert patched(text.split("\n"), shown.split("\n")[2:]) == apply_edits(text, edits).split("\n")


def patched(old: list[str], shown: list[str]) -> list[str]:
    new, at = [], 0
    for line in shown:
        if header := HEADER.fullmatch(line):
            new += old[at : int(header[1]) - 1]
            at = int(header[1]) - 1
            assert int(header[3]) - 1 == len(new)
        elif line[0] == "+":
            new.append(line[1:])
        else:
            assert old[at] == line[1:]
            new += [old[at]] if line[0] == " " else []
            at += 1
    return new + old[at:]


@pytest.mark.slow
def test_hostile_texts_are_cut_too() -> None:
    same = "x\n" * 200_000
    for change in (
        replaced(same, edit(0, len(same), "y\n" * 200_000)),
        replaced(same, *(edit(at, at + 1, "y") for at in range(0, len(same), 2))),
        replaced("x" * 1_000_000, *(edit(at, at + 1, "y") for at in range(0, 1_000_000, 10))),
        CreateFile(place("b"), "x" * 10_000_000),
    ):
        assert len(difference([change], 8_000)) < 8_100
