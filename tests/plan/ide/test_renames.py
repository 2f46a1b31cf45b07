"""Renames: paths inside a plan follow files that move."""

import pytest

from planact.base.span import apply_edits
from planact.plan.ide.renames import Rename, renamed
from planact.plan.syntax.parser import parse

A_TO_B = Rename("src/a.py", "lib/b.py")


def moved(text: str, *renames: Rename) -> str:
    return apply_edits(text, renamed(parse(text), renames or (A_TO_B,)))


PLAN = """---
context:
  - {path: src/a.py, sha256: 0f}
  - {path: "src/a.py.bak", sha256: 0f}
---
# Change `src/a.py:12`, not src/a.py

## Steps
- [x] 1. Look at `src/a.py`
  - files: src/a.py
  - check: `cat src/a.py`
- [ ] 2. Change `src/a.py` and `src/aa.py`
  - reason: `x/src/a.py` is another
  - files: src/b.py, `src/a.py`, src/a.py:7
  - check: `test -f src/a.py && ./run ./src/a.py::x src/a.py2 x/src/a.py "$src/a.py"`
  > mind `src/a.py`

## Validation
- `cat src/a.py`
"""


def test_what_is_left_to_do_follows_and_what_is_over_does_not() -> None:
    before, settled, after = PLAN.partition(
        "- [x] 1. Look at `src/a.py`\n  - files: src/a.py\n  - check: `cat src/a.py`\n"
    )
    expected = (
        before.replace("{path: src/a.py,", "{path: lib/b.py,").replace("`src/a.py:12`", "`lib/b.py:12`")
        + settled
        + after.replace("Change `src/a.py`", "Change `lib/b.py`")
        .replace("`src/a.py`, src/a.py:7", "`lib/b.py`, lib/b.py:7")
        .replace("-f src/a.py", "-f lib/b.py")
        .replace("./src/a.py::", "./lib/b.py::")
        .replace("mind `src/a.py`", "mind `lib/b.py`")
        .replace("- `cat src/a.py`", "- `cat lib/b.py`")
    )
    assert moved(PLAN) == expected


@pytest.mark.parametrize(
    ("value", "rename", "expected"),
    [
        ("files: src/", Rename("src", "lib"), "files: lib/"),
        ("files: src/x/y.py, srcs/z.py", Rename("src", "lib/deep"), "files: lib/deep/x/y.py, srcs/z.py"),
        ("files: a.py", Rename("a.py", "b, c.py"), "files: `b, c.py`"),
        ("files: `a.py`", Rename("a.py", "b, c.py"), "files: `b, c.py`"),
        ("files: a.py", Rename("a.py", "b`c.py"), "files: a.py"),
        ("files: a b.py", Rename("a b.py", "c d.py"), "files: c d.py"),
        ("files:\n    - a.py\n    - b.py", Rename("b.py", "c.py"), "files:\n    - a.py\n    - c.py"),
        ("check: `ls src && ls src/x`", Rename("src", "lib"), "check: `ls lib && ls lib/x`"),
        ("check: `cat a.py`", Rename("a.py", "b c.py"), "check: `cat a.py`"),
        ("check: `cat a.py`", Rename("a.py", "$(boom).py"), "check: `cat a.py`"),
        ("check: `cat a.py.`", Rename("a.py", "b.py"), "check: `cat b.py.`"),
    ],
)
def test_each_place_takes_the_new_path_in_its_own_way(value: str, rename: Rename, expected: str) -> None:
    text = "# G\n## Steps\n- [ ] 1. a\n  - {}\n"
    assert moved(text.format(value), rename) == text.format(expected)


@pytest.mark.parametrize(
    "text",
    [
        "change `src/a.py`\n",
        "# G\n## Steps\n- [x] 1. `src/a.py`\n- [-] 2. `src/a.py`\n",
        "# G\n## Steps\n- [ ] 1. a\n  - files: src/ab.py\n",
    ],
    ids=["a request", "all is over", "another file"],
)
def test_else_nothing_changes(text: str) -> None:
    assert renamed(parse(text), (A_TO_B,)) == ()


@pytest.mark.parametrize(
    ("entry", "new", "expected"),
    [
        ("{path: a.py, sha256: 0f}", "b: c.py", '{path: "b: c.py", sha256: 0f}'),
        ('{path: "a.py", sha256: 0f}', "b.py", '{path: "b.py", sha256: 0f}'),
        ('{path: "a.py", sha256: 0f}', 'b"c.py', '{path: "a.py", sha256: 0f}'),
        ("{sha256: 0f, path: a.py}", "b.py", "{sha256: 0f, path: b.py}"),
        (
            "{path: path, sha256: 0f}\n  - {path: a.py, sha256: 0f}",
            "b.py",
            "{path: path, sha256: 0f}\n  - {path: b.py, sha256: 0f}",
        ),
    ],
)
def test_front_matter_stays_readable(entry: str, new: str, expected: str) -> None:
    text = "---\ncontext:\n  - {}\n---\n# G\n## Steps\n- [ ] 1. a\n"
    made = moved(text.replace("{}", entry), Rename("a.py", new))
    assert made == text.replace("{}", expected)
    assert parse(made).problems == ()


def test_a_path_that_is_part_of_other_words_is_found_where_it_stands() -> None:
    text = "---\ncontext:\n  - {path: a, sha256: aa}\n---\n# G\n## Steps\n- [ ] 1. a\n"
    assert moved(text, Rename("a", "b")) == text.replace("path: a,", "path: b,")
