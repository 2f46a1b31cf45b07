import pytest

from planact.tools.edit.patch import (
    Hunk,
    Patch,
    PatchAdd,
    PatchDelete,
    PatchFile,
    PatchReplace,
    PatchUpdate,
    parse_patch,
)
from planact.tools.edit.problem import EditProblem

WHOLE = """\
*** Begin Patch
*** Update File: src/app.py
*** Move to: src/main.py
@@ class App:
@@ def load():
 context
-old
+new

@@ -10,2 +11,3 @@ def other():

+added
*** End of File
*** Add File: notes.md
+one
+
*** Delete File: old.py
*** End Patch
"""


def test_a_patch_is_read() -> None:
    first = Hunk(((" ", "context"), ("-", "old"), ("+", "new")), ("class App:", "def load():"))
    second = Hunk(((" ", ""), ("+", "added")), ("def other():",), at_end=True)
    files = (
        PatchUpdate("src/app.py", "src/main.py", (first, second)),
        PatchAdd("notes.md", "one\n\n"),
        PatchDelete("old.py"),
    )
    assert parse_patch(WHOLE) == Patch(files)
    assert parse_patch(WHOLE.replace("\n", "\r\n")) == Patch(files)


def test_a_move_needs_no_hunks_and_a_first_hunk_no_mark() -> None:
    moved = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Update File: c\n-x\n+y\n*** End Patch"
    assert parse_patch(moved) == Patch(
        (PatchUpdate("a", "b", ()), PatchUpdate("c", "", (Hunk((("-", "x"), ("+", "y"))),)))
    )


def test_a_file_that_is_deleted_and_added_is_replaced_and_one_may_be_updated_twice() -> None:
    text = """\
*** Begin Patch
*** Delete File: a
  *** Add File: c
+c

*** Update File: b
-one
+two

*** Add File: a
+new

*** Update File: b
*** Move to: d
-three
+four
*** End Patch"""
    one, two = (Hunk((("-", old), ("+", new))) for old, new in (("one", "two"), ("three", "four")))
    add = PatchAdd("c", "c\n")
    assert parsed(text) == (
        add,
        PatchUpdate("b", "", (one,)),
        PatchReplace("a", "new\n"),
        PatchUpdate("b", "d", (two,)),
    )


def test_padding_ends_a_hunk_only_where_the_whole_patch_has_it() -> None:
    """A line of a file may read like a marker: a space before it makes it context."""
    body = "*** Update File: a\n@@\n *** Delete File: b\n-x\n+y"
    (file,) = parsed(f"*** Begin Patch\n{body}\n*** End Patch")
    assert file == PatchUpdate("a", "", (Hunk(((" ", "*** Delete File: b"), ("-", "x"), ("+", "y"))),))
    padded = "\n".join(f"  {line}" for line in ("*** Begin Patch", *body.split("\n"), "*** End Patch"))
    assert parsed(padded) == (file,)
    markers = "  *** Begin Patch\n  *** Update File: a\n-x\n+y\n  *** Delete File: b\n *** End Patch"
    assert parsed(markers) == (PatchUpdate("a", "", (Hunk((("-", "x"), ("+", "y"))),)), PatchDelete("b"))


def test_the_names_of_a_unified_diff_are_no_lines_of_a_hunk_but_other_dashes_are() -> None:
    (file,) = parsed("*** Begin Patch\n*** Update File: s.sql\n--- a/s.sql\n+++ b/s.sql\n@@\n-x\n*** End Patch")
    assert file == PatchUpdate("s.sql", "", (Hunk((("-", "x"),)),))
    (file,) = parsed("*** Begin Patch\n*** Update File: s.sql\n--- a/t.sql\n+++ b/s.sql\n@@\n-x\n*** End Patch")
    assert file == PatchUpdate("s.sql", "", (Hunk((("-", "-- a/t.sql"), ("+", "++ b/s.sql"))), Hunk((("-", "x"),))))


def parsed(text: str) -> tuple[PatchFile, ...]:
    patch = parse_patch(text)
    assert isinstance(patch, Patch), patch
    return patch.files


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "line 1: expected `*** Begin Patch`"),
        ("*** Begin Patch\n*** End Patch", "it names no file"),
        ("*** Begin Patch\n*** Delete File: a", "line 3: `*** End Patch` is missing"),
        ("*** Begin Patch\n*** Delete File: a\n*** End Patch\nmore", "line 4: there is text after"),
        ("*** Begin Patch\n*** Delete File:\n*** End Patch", "line 2: expected a file header"),
        ("*** Begin Patch\n*** Remove File: a\n*** End Patch", "line 2: expected a file header"),
        ("*** Begin Patch\n*** Delete File: a\n*** Delete File: a\n*** End Patch", "a is named twice"),
        ("*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: a\n*** End Patch", "a is named twice"),
        ("*** Begin Patch\n*** Add File: a\n+x\n*** Update File: a\n-x\n*** End Patch", "a is named twice"),
        (
            "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Update File: a\n-x\n*** End Patch",
            "a is named twice",
        ),
        ("*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** Add File: b\n+x\n*** End Patch", "b is named twice"),
        ("*** Begin Patch\n*** Add File: a\n+x\n\ny\n*** End Patch", "line 4: lines of a new file begin with `+`"),
        ("<<EOF\n*** Begin Patch\n*** Delete File: a\n*** End Patch", "line 1: expected `*** Begin Patch`"),
        ("<<EOF\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEND", "line 1: expected `*** Begin Patch`"),
        ("cd x && apply_patch <<E\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nE", "line 1: expected"),
        ("*** Begin Patch\n*** Update File: a\n@@\n*** End Patch", "a hunk has no lines"),
        ("*** Begin Patch\n*** Update File: a\n*** Move to: a\n*** End Patch", "a is named twice"),
        ("*** Begin Patch\n*** Update File: a\n*** End Patch", "nothing is to change in a"),
        ("*** Begin Patch\n*** Update File: a\n@@\n same\n*** End Patch", "changes nothing"),
        ("*** Begin Patch\n*** Update File: a\n@@\nsame\n+b\n*** End Patch", "line 4: lines of a hunk begin with"),
        ("*** Begin Patch\n*** Add File: a\nb\n*** End Patch", "line 3: lines of a new file begin with `+`"),
        ("*** Begin Patch\n*** Update File: a\n*** Move to: \n+a\n*** End Patch", "the path to move to is empty"),
        ("*** Begin Patch\n*** Update File: a\n+b\n*** End of File\n+c\n*** End Patch", "expected `@@` between hunks"),
    ],
)
def test_a_patch_that_cannot_be_read_says_where(text: str, cause: str) -> None:
    result = parse_patch(text)
    assert isinstance(result, EditProblem)
    assert result.code == "EDIT_REFUSED"
    assert cause in result.message
