"""What planact offers in files that are no plans."""

from typing import Any

import pytest

from planact.plan.ide.source_file import Fault, SourceAction, source_actions, steps_in, title_of
from planact.plan.syntax.parser import parse

UNUSED = Fault(3, "`x` is never\nused", "ruff", "F841")
ABOUT = {"about": "src/a.py:2-4"}
CHANGE = SourceAction("Plan a change to the selection", "change", "planact.generatePlan", ABOUT)
ASK = SourceAction("Ask about the selection", "ask", "planact.sendMessage", ABOUT)


def fix(about: str, *lines: str) -> SourceAction:
    request = "\n".join(("Fix what is reported here:", *lines))
    return SourceAction("Plan a fix", "fix", "planact.generatePlan", {"about": about, "request": request})


@pytest.mark.parametrize(
    ("faults", "has_selection", "expected"),
    [
        ((), False, []),
        ((), True, [CHANGE, ASK]),
        ((UNUSED,), False, [fix("src/a.py:3", "- line 3: `` `x` is never used `` (ruff F841)")]),
        (
            (Fault(7, "a"), UNUSED),
            True,
            [fix("src/a.py:3-7", "- line 7: `a`", "- line 3: `` `x` is never used `` (ruff F841)"), CHANGE, ASK],
        ),
        ((Fault(1, "a" * 900),) * 30, False, [fix("src/a.py:1", *["- line 1: `" + "a" * 500 + "`"] * 10)]),
    ],
)
def test_faults_are_to_be_fixed_and_selections_changed_or_explained(
    faults: tuple[Fault, ...], has_selection: bool, expected: list[SourceAction]
) -> None:
    assert list(source_actions("src/a.py", (2, 4), faults, has_selection=has_selection)) == expected


def test_a_selection_of_one_line_names_that_line() -> None:
    [change, _] = source_actions("a.py", (2, 2), (), has_selection=True)
    assert change.arguments == {"about": "a.py:2"}


PLAN = """# Rename `load`
## Steps
- [x] 1. a
  - files: src/a.py
- [ ] 2. b
  - files: src/b.py, src/a.py:12
- [!] 5. c
  - files: src/
- [ ] 6. d
  - files: src/a.pyi, ../src/a.py
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/a.py", [("Step 2 of “Rename load”", 12), ("Step 5 of “Rename load”", 1)]),
        ("src/x/y.py", [("Step 5 of “Rename load”", 1)]),
        ("a.py", []),
    ],
)
def test_steps_with_work_left_show_in_the_files_they_touch(path: str, expected: list[Any]) -> None:
    tree = parse(PLAN)
    assert [(title_of(tree, found), found.line) for found in steps_in(tree, path)] == expected


def test_a_long_goal_is_cut() -> None:
    tree = parse(PLAN.replace("Rename", "Rename " * 20))
    [found, _] = steps_in(tree, "src/a.py")
    assert len(title_of(tree, found)) < 80
