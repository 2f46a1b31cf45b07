"""Review the edits of a call file by file, with one answer for each.

For front ends that can only ask one thing after the other; others show the files side by side.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from planact.base.text import visible
from planact.model.question import Answered, ProposedEdit, QuestionSet
from planact.tools.calls.judged_call import ALLOW, REJECT
from planact.workflows.history.step_changes import kept_text
from planact.workflows.plans.show_changes import MAX_COMPARED_BYTES, MAX_DIFF_CHARACTERS, unified
from planact.workflows.workspace import Workspace

BY_FILE = "File by file…"
WITH_WORDS = "Reject, and say why…"
ALLOW_FILE, REJECT_FILE = "Allow", "Reject"
ASK_WORDS = "What should be different? The agent reads this."

EditDiff = Callable[[ProposedEdit], str]
"""Renders one edit of a file for people."""


@dataclass(frozen=True, slots=True)
class FileDecision:
    """The user's decision on one file; `words` may be empty."""

    path: str
    is_allowed: bool
    words: str = ""


def may_reject(asked: QuestionSet) -> bool:
    """The question asks to allow a call, and takes a comment with a no."""
    return asked.purpose == "approval" and any(option.value == REJECT for option in asked.questions[0].options)


def is_by_file(asked: QuestionSet) -> bool:
    """One file can be rejected and another allowed."""
    return len(asked.edits) > 1 and may_reject(asked)


def edit_title(asked: QuestionSet, edit: ProposedEdit) -> str:
    """Which file it is, and what would become of it: `1 of 2 · a.py would be created`."""
    return f"{asked.edits.index(edit) + 1} of {len(asked.edits)} · {visible(edit.path)} would be {edit.what}"


def edit_difference(ws: Workspace, edit: ProposedEdit) -> str:
    """Return the edit as a unified diff with invisible characters spelled out, cut where it is too long."""
    old, new = (kept_text(ws, edit.path, sha256) for sha256 in (edit.before, edit.after))
    if max(len(old), len(new)) > MAX_COMPARED_BYTES:
        return f"{visible(edit.path)} is too large to be compared here"
    names = (edit.path if edit.before else "/dev/null", edit.path if edit.after else "/dev/null")
    text = visible(unified(old, new, *names).rstrip("\n"))
    return text if len(text) <= MAX_DIFF_CHARACTERS else f"{text[:MAX_DIFF_CHARACTERS]}\n… and more"


def rejected_with(asked: QuestionSet, words: str) -> Answered:
    """A no to all of it, with words to the agent."""
    return Answered({asked.questions[0].name: REJECT}, comment=words)


def answer_by_file(asked: QuestionSet, said: Sequence[FileDecision]) -> Answered:
    """One answer of what was said to each file."""
    rejected = tuple(each.path for each in said if not each.is_allowed)
    words = "\n".join(f"{each.path}: {each.words}" for each in said if each.words.strip())
    if len(rejected) == len(said):
        return rejected_with(asked, words)
    return Answered({asked.questions[0].name: ALLOW}, rejected=rejected, comment=words)
