"""PLAN025: files that changed since planning, where they are told, and how one is accepted as it is now."""

from dataclasses import replace

import pytest

from planact.base.span import apply_edits
from planact.plan.approval import hash_of
from planact.plan.lint_context import ChangedFile, names_of, replan_feedback
from planact.plan.rules.changed_file import check
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanProblem, PlanTree
from tests.plan.lint_contexts import AROUND

OLD, NEW = "0f" * 32, "ab" * 32
PLAN = f"""---
context:
  - {{path: a.py, sha256: {OLD}}}
  - {{path: "b c.py", sha256: "{OLD}"}}
  - sha256: {OLD}
    path: d.py
  - {{path: new.py, sha256: ""}}
---
# Goal

## Steps
- [x] 1. Over
  - files: a.py
- [ ] 2. To do
  - files: a.py, new.py
- [!] 3. Again
  - files: `b c.py`, d.py, other.py
"""


def problems(*changed: ChangedFile, text: str = PLAN) -> tuple[PlanTree, list[PlanProblem]]:
    tree = parse(text)
    return tree, list(check(tree, replace(AROUND, changed_files={file.path: file for file in changed})))


@pytest.mark.parametrize(
    ("file", "message", "places"),
    [
        (ChangedFile("a.py", OLD, NEW), "a.py changed since planning", [2, 14]),
        (ChangedFile("b c.py", OLD, ""), "b c.py was deleted since planning", [3, 16]),
        (ChangedFile("new.py", "", NEW), "new.py was created since planning", [6, 14]),
        (ChangedFile("unheard.py", OLD, NEW), "", []),
    ],
)
def test_it_is_told_where_the_file_is_listed_and_in_steps_that_are_left(
    file: ChangedFile, message: str, places: list[int]
) -> None:
    tree, found = problems(file)
    assert [tree.text.count("\n", 0, problem.span.start) for problem in found] == places
    assert {(problem.message, problem.severity, problem.code) for problem in found} <= {(message, "warning", "PLAN025")}
    assert all(tree.text[slice(*problem.span)] == file.path for problem in found)


def test_nothing_is_told_of_a_plan_that_is_over_or_unchanged() -> None:
    over = PLAN.replace("[ ]", "[x]").replace("[!]", "[-]")
    assert problems(ChangedFile("a.py", OLD, NEW), text=over)[1] == []
    assert problems()[1] == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        (ChangedFile("a.py", OLD, NEW), f"  - {{path: a.py, sha256: {NEW}}}"),
        (ChangedFile("a.py", OLD, ""), '  - {path: a.py, sha256: ""}'),
        (ChangedFile("b c.py", OLD, NEW), f'  - {{path: "b c.py", sha256: {NEW}}}'),
        (ChangedFile("new.py", "", NEW), f"  - {{path: new.py, sha256: {NEW}}}"),
        (ChangedFile("d.py", OLD, NEW), None),  # its hash stands before it
    ],
)
def test_accepting_a_file_changes_its_fingerprint_and_no_approval(file: ChangedFile, line: str | None) -> None:
    tree, found = problems(file)
    titles = [fix.title for fix in found[0].fixes]
    assert titles == ([f"Accept {file.path} as it is now"] if line else [])
    if line:
        now = parse(apply_edits(tree.text, found[0].fixes[0].edits))
        changed = [new for old, new in zip(tree.text.split("\n"), now.text.split("\n"), strict=True) if old != new]
        assert changed == [line]
        assert hash_of(now) == hash_of(tree)


def test_several_can_be_accepted_at_once() -> None:
    tree, found = problems(ChangedFile("a.py", OLD, NEW), ChangedFile("new.py", "", NEW))
    fix = next(fix for fix in found[0].fixes if fix.title == "Accept all files as they are now")
    assert apply_edits(tree.text, fix.edits).count(NEW) == 2


def test_what_the_planner_is_asked_for_names_the_files_within_bounds() -> None:
    many = [ChangedFile(f"f{number}", OLD, NEW if number % 2 else "") for number in range(200)]
    assert "f0 (deleted), f1 (changed)" in replan_feedback(many)
    assert replan_feedback(many).endswith("f99 (changed) and 100 more.")
    assert names_of(many) == "f0, f1, f2, f3, f4 and 195 more"
