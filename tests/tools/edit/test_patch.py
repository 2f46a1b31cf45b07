import pytest

from planact.tools.edit.patch import Hunk, Patch, PatchAdd, PatchDelete, PatchUpdate, parse_patch
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
