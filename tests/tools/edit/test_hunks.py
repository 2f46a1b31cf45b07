import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.base.span import apply_edits
from planact.tools.edit.hunks import plan_hunks
from planact.tools.edit.patch import Patch, PatchUpdate, parse_patch
from planact.tools.edit.problem import EditProblem

TWO = "class A:\n    def f(self):\n        return 1\n\n\nclass B:\n    def f(self):\n        return 1\n"


def planned(text: str, body: str) -> str | EditProblem:
    patch = parse_patch(f"*** Begin Patch\n*** Update File: f\n{body}\n*** End Patch\n")
    assert isinstance(patch, Patch), patch
    (file,) = patch.files
    assert isinstance(file, PatchUpdate)
    edits = plan_hunks(text, file.hunks)
    return edits if isinstance(edits, EditProblem) else apply_edits(text, edits)


@pytest.mark.parametrize(
    ("text", "body", "expected"),
    [
        ("a\nb\nc\n", "@@\n a\n-b\n+x\n+y\n c", "a\nx\ny\nc\n"),
        ("a\nb\nc\n", "-b", "a\nc\n"),
        ("a\nb\nc\n", "@@\n-a\n@@\n b\n+x", "b\nx\nc\n"),
        # The end of the file, with and without a final line break
        ("a\nb", "@@\n a\n-b\n+c", "a\nc"),
        ("a\nb", "@@\n b\n+c", "a\nb\nc"),
        ("a\nb", "@@\n a\n-b", "a"),
        ("a\nb", "-b", "a"),
        ("a\nb", "-a\n-b", ""),
        ("a\nb\n", "@@\n b\n+c", "a\nb\nc\n"),
        ("a\r\nb\r\n", "@@\n+c\n*** End of File", "a\r\nb\r\nc\r\n"),
        ("a", "@@\n+c\n*** End of File", "a\nc"),
        ("", "+a\n+b", "a\nb\n"),
        ("x\na\nx\n", "@@\n-x\n*** End of File", "x\na\n"),
        # Line endings and blanks of context stay
        ("a  \r\nb\r\n", "@@\n a\n-b\n+c", "a  \r\nc\r\n"),
        ("‘a’\nb\n", "@@\n 'a'\n-b\n+c", "‘a’\nc\n"),
        ("if a:\n\tb\n\tc\n", "@@\n if a:\n     b\n-    c\n+    if d:\n+        c", "if a:\n\tb\n\tif d:\n\t\tc\n"),
        # Lines that are only added stand behind their anchor
        ("a\nb\nc\n", "@@ b\n+x", "a\nb\nx\nc\n"),
        ("a\nb\nc", "@@ c\n+x", "a\nb\nc\nx"),
        ("a\nb\nc\n", "@@\n a\n b\n@@\n+x", "a\nb\nx\nc\n"),
        # A hunk without changes moves on, and so does the end of the one before, whose context may be meant again
        ("x\na\nx\n", "@@\n a\n@@\n-x", "x\na\n"),
        ("a\nb\nc\nd\n", "@@\n-a\n b\n c\n@@ b\n c\n-d\n+e", "b\nc\ne\n"),
        # An anchor that stands twice, before lines that stand once
        (f"{TWO}    x = 1\n", "@@ def f(self):\n-    x = 1", TWO),
        # Blank lines at the edges that aren't in the file, and a mark that is no part of a text
        ("a\nb\nc\n", "@@\n \n a\n-b\n \n ", "a\nc\n"),
        ("a\nb\n", "@@\n-\ufeffa\n+\ufeffx", "x\nb\n"),
        ("\ufeffa\nb\n", "@@\n-\ufeffa\n+\ufeffx", "\ufeffx\nb\n"),
        # Anchors say which of several places is meant
        (
            TWO,
            "@@ class B:\n@@ def f(self):\n-        return 1\n+        return 2",
            TWO[::-1].replace("1", "2", 1)[::-1],
        ),
        (TWO, "@@ class A:\n     def f(self):\n-        return 1\n+        return 2", TWO.replace("1", "2", 1)),
        (
            TWO,
            "@@ -1,2 +1,2 @@ class A:\n     def f(self):\n-        return 1\n+        return 2",
            TWO.replace("1", "2", 1),
        ),
    ],
)
def test_hunks_are_made(text: str, body: str, expected: str) -> None:
    assert planned(text, body) == expected


@pytest.mark.parametrize(
    ("text", "body", "code", "said"),
    [
        (TWO, "@@\n     def f(self):\n-        return 1", "EDIT_AMBIGUOUS", "it is in 2 places: line 2, line 7"),
        (TWO, "@@ def f(self):\n-        return 1", "EDIT_AMBIGUOUS", "`@@ def f(self):` is in 2 places"),
        (TWO, "@@ class C:\n-        return 1", "EDIT_NOT_FOUND", "`@@ class C:` isn't in the file"),
        ("a\nb\n", "@@\n-b\n@@\n-a", "EDIT_NOT_FOUND", "hunk 2 of 2: it isn't in the file after what comes before"),
        ("a\n", "+b", "EDIT_REFUSED", "the hunk only adds lines and doesn't say where"),
        ("a\nb\na\n", "@@ a\n+x", "EDIT_AMBIGUOUS", "`@@ a` is in 2 places: line 1, line 3"),
        (TWO, "@@\n     def f(self):\n@@\n-        return 1", "EDIT_AMBIGUOUS", "line 2, line 7"),
        ("a\nb\n", "@@\n-a\n@@\n c", "EDIT_NOT_FOUND", "isn't in the file"),
        ("a\nb\nc\n", "@@\n-a\n b\n@@\n-b\n+x", "EDIT_NOT_FOUND", "hunk 2 of 2: it isn't in the file after"),
        ("a\nx\na\ny\n", "@@\n a\n+b\n ", "EDIT_AMBIGUOUS", "line 1, line 3"),
        ("if a:\n\tb\n", "@@\n if a:\n     b\n+   c", "EDIT_NOT_FOUND", "doesn't tell how to indent"),
        ("x = one(two)\n", "-x = one(three)", "EDIT_NOT_FOUND", "file has 'x = one(two)', you sent 'x = one(three)'"),
    ],
)  # fmt: skip
def test_a_hunk_that_does_not_fit_leaves_all_undone(text: str, body: str, code: str, said: str) -> None:
    result = planned(text, body)
    assert isinstance(result, EditProblem)
    assert result.code == code
    assert said in result.message


LINES = st.lists(st.text("ab\t ", max_size=3), min_size=1, max_size=8)


@given(LINES, st.data(), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_hunk_of_the_whole_file_gives_what_it_says(
    lines: list[str], data: st.DataObject, end: str, ends: bool
) -> None:
    if not ends and lines[-1] == "":
        lines = [*lines, "a"]
    marks = data.draw(st.lists(st.sampled_from([" ", "-"]), min_size=len(lines), max_size=len(lines)))
    body: list[str] = ["@@"]
    new: list[str] = []
    for mark, line in zip(marks, lines, strict=True):
        added = data.draw(st.lists(st.text("xy", max_size=2), max_size=2))
        body += [*("+" + text for text in added), mark + line]
        new += [*added, *([line] if mark == " " else [])]
    if not any(line.startswith(("+", "-")) for line in body):
        return
    text = end.join(lines) + end * ends
    # A file that loses all lines but has a line break at its end is empty.
    expected = end.join(new) + end * (ends and bool(new))
    if end not in text:
        expected = expected.replace(end, "\n")
    assert planned(text, "\n".join(body)) == expected
