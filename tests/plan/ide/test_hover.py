"""Hover: what is known of the thing under the cursor."""

import pytest

from planact.model.plan import StepStatus
from planact.model.runs.execution import CheckResult, FileChange, StepRecord
from planact.plan.ide.hover import Facts, hover, plain
from planact.plan.lint_context import CommandFact, FileFact
from planact.plan.references import subject_at
from planact.plan.rules import lint
from tests.plan.ide.cursor import parsed
from tests.plan.lint_contexts import AROUND, FACTS

PLAN = """---
status: draft
context:
  - {path: a.py, sha256: 0f}
parameters:
  - {name: who, description: Whom to greet, default: you}
---
# Greet {{who}}

See `src/b.py:12`, `a.b c` and `make`.

## Steps
- [!] 1. Say hello in `a.py`
  - reason: why
  - tools: read_file, `update_file`
  - files: a.py, src/
  - check: `grep -q hello a.py`
  > warmer
- [ ] 2. Say goodbye
  - files: a.py

## Validation
- `make test`
- Look at it.

## Notes
"""
RECORD = StepRecord(
    step_number=1,
    action="Say hello in `a.py`",
    status=StepStatus.FAILED,
    error="no ``` such\nfile",
    duration=12.4,
    checks=(
        CheckResult(command="grep -q hello a.py", exit_code=1, output="", passed=False),
        CheckResult(command="true", exit_code=0, output="", passed=True),
    ),
    files=(FileChange(path="a.py", after="1"),),
)
ALL = Facts(
    tool=FACTS[1],
    file=FileFact("file", 12_345, is_stale=True),
    command=CommandFact("local-read", "grep `only` reads", is_denied=False, in_plan="allow"),
    record=RECORD,
)


def shown(old: str, new: str, facts: Facts = ALL) -> tuple[str, str] | None:
    """The text under the hover, and what it says, with the cursor put into the plan."""
    assert PLAN.count(old) == 1
    tree, offset = parsed(PLAN.replace(old, new))
    found = hover(tree, offset, subject_at(tree, offset), facts, lint(tree, AROUND))
    return (tree.text[slice(*found.span)], found.text) if found else None


@pytest.mark.parametrize(
    ("old", "new", "span", "beginning"),
    [
        ("status: draft", "sta‸tus: draft", "status", "How far the plan is."),
        ("{path: a.py,", "{path: ‸a.py,", "a.py", "`a.py` · 12.3 kB · changed since planning · also in step 1, 2"),
        ("# Greet {{who}}", "# Greet {{‸who}}", "{{who}}", "Parameter `who` · `you` if not given\n\n`Whom to greet`"),
        ("`src/b.py:12`", "`src/b‸.py:12`", "src/b.py:12", "`src/b.py` · 12.3 kB"),
        ("## Steps", "## ‸Steps", "Steps", "What is done, in this order."),
        ("- [!] 1.", "- [‸!] 1.", "- [!] 1. Say hello in `a.py`", "**Step 1** · failed · 1 comment for the next"),
        ("hello in `a.py`\n", "hello in `‸a.py`\n", "a.py", "`a.py` · 12.3 kB · changed since planning · also in step"),
        ("reason: why", "reas‸on: why", "reason", "Why the step is needed."),
        (
            "- tools: read_file, `",
            "- tools: read‸_file, `",
            "read_file",
            "`update_file` · medium risk\n\nChange a file.\n\n",
        ),
        ("`update_file`", "`update_file‸`", "update_file", "`update_file` · medium risk"),
        ("a.py, src/", "‸a.py, src/", "a.py", "`a.py` · 12.3 kB · changed since planning · also in step 2"),
        ("a.py, src/", "a.py, sr‸c/", "src/", "`src/` · 12.3 kB"),
        (
            "`grep -q hello a.py`",
            "`gre‸p -q hello a.py`",
            "grep -q hello a.py",
            "**Only reads, in the workspace**: ``grep",
        ),
        ("- `make test`", "- `make ‸test`", "make test", "**Only reads, in the workspace**"),
    ],
)
def test_what_is_under_the_cursor_is_explained(old: str, new: str, span: str, beginning: str) -> None:
    found = shown(old, new)
    assert found
    assert (found[0], found[1][: len(beginning)]) == (span, beginning)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("`a.b c`", "`a.b‸ c`"),
        ("`make`", "`ma‸ke`"),
        ("status: draft", "status: dra‸ft"),
        ("## Notes", "## No‸tes"),
        ("> warmer", "> war‸mer"),
        ("reason: why", "reason: wh‸y"),
        ("Look at it.", "Look ‸at it."),
    ],
)
def test_nothing_is_said_of_what_is_only_text(old: str, new: str) -> None:
    assert shown(old, new) is None


def test_the_last_run_of_a_step_is_told_with_its_evidence() -> None:
    assert shown("- [!] 1.", "- [!] ‸1.") == (
        "- [!] 1. Say hello in `a.py`",
        "**Step 1** · failed · 1 comment for the next revision\n\n"
        "Last run: failed · 12 s · 1 file · 1 of 2 checks passed\n\n"
        "- failed: `grep -q hello a.py`\n\n"
        "- passed: `true`\n\n"
        "Changed: `a.py`\n\n"
        "````text\nno ``` such\nfile\n````",
    )


def test_no_file_of_the_last_run_makes_a_line_of_its_own() -> None:
    tree, offset = parsed(PLAN.replace("1. Say", "‸1. Say"))
    file = FileChange(path="a`\n\n**Step 2** done\n\n`b", before="", after="0f")
    record = StepRecord(step_number=1, action="", status=StepStatus.DONE, files=(file,))
    found = hover(tree, offset, subject_at(tree, offset), Facts(record=record), ())
    assert found
    assert r"""Changed: ``"a`\n\n**Step 2** done\n\n`b"``""" in found.text


@pytest.mark.parametrize(
    ("old", "new", "facts", "expected"),
    [
        ("- files: a.py\n\n", "- files: a.‸py\n\n", Facts(file=FileFact()), "`a.py` doesn't exist"),
        ("a.py, src/", "a.py, ‸src/", Facts(file=FileFact("directory")), "`src/` · folder"),
        ("- `make test`", "- `‸make test`", Facts(), None),
        ("- tools: read_file", "- tools: ‸read_file", Facts(), "There is no such tool."),
    ],
)
def test_what_is_not_known_is_not_made_up(old: str, new: str, facts: Facts, expected: str | None) -> None:
    found = shown(old, new, facts)
    assert (found and found[1]) == expected


def test_a_denied_command_says_so() -> None:
    fact = CommandFact("mutating", "curl writes", is_denied=True, in_plan="deny")
    found = shown("- `make test`", "- `make ‸test`", Facts(command=fact))
    assert found
    assert found[1].endswith("In Plan it is refused. Your settings deny it.")


def test_the_rule_that_a_problem_breaks_is_explained_below() -> None:
    found = shown("- [ ] 2.", "- [ ] 1‸.", Facts())
    assert found
    assert found[1].startswith("**Step 1** · pending\n\n---\n\n**PLAN003** Steps are out of order")


def test_clients_without_markdown_get_the_words() -> None:
    text = "**Step 1** · failed\n\nIn `a.py`\n\n---\n\n````text\nno ``` such\n````"
    assert plain(text) == "Step 1 · failed\n\nIn a.py\n\n\nno  such"
