"""Approval of one tool call at a terminal: of edits of several files the user can allow some and reject others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from planact.model.question import Answered, Question, QuestionSet
from planact.workflows.history.review_edits import (
    ALLOW_FILE,
    ASK_WORDS,
    BY_FILE,
    REJECT_FILE,
    WITH_WORDS,
    EditDiff,
    FileDecision,
    answer_by_file,
    edit_title,
    is_by_file,
    rejected_with,
)


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A line of a menu."""

    label: str
    detail: str = ""


class MenuPrompt(Protocol):
    """Menus and fields. `title` is empty if the question is printed right above. Cancelling removes them."""

    async def choose(self, title: str, choices: Sequence[MenuItem], at: int | None) -> int:
        """Return the index of the chosen item; a bare Enter chooses `at`, if it is given."""
        ...

    async def write(self, title: str, hint: str, default: str, problem_of: Callable[[str], str]) -> str:
        """Return a text; a bare Enter returns `default`. `problem_of` returns the fault of a text, or empty."""
        ...

    def introduce(self, question: Question, place: str) -> None:
        """Show a question; `place` is `2 of 3` or the like, or empty."""
        ...

    def compare(self, title: str, difference: str) -> None:
        """Show the proposed edit of a file as a unified diff."""
        ...


async def ask_approval(prompt: MenuPrompt, asked: QuestionSet, difference: EditDiff) -> Answered:
    """Ask about the call, and about each file by itself if the user chooses so."""
    question = asked.questions[0]
    prompt.introduce(question, "")
    choices = [MenuItem(option.label, option.description) for option in question.options]
    by_file = [MenuItem(BY_FILE, "each difference by itself")] if is_by_file(asked) else []
    place = await prompt.choose("", [*choices, *by_file, MenuItem(WITH_WORDS)], None)
    if place < len(choices):
        return Answered({question.name: question.options[place].value})
    if place == len(choices) + len(by_file):
        return rejected_with(asked, await prompt.write("", ASK_WORDS, "", _no_problem))
    said: list[FileDecision] = []
    for edit in asked.edits:
        prompt.compare(edit_title(asked, edit), difference(edit))
        place = await prompt.choose(edit.path, [*map(MenuItem, (ALLOW_FILE, REJECT_FILE, WITH_WORDS))], None)
        words = await prompt.write(edit.path, ASK_WORDS, "", _no_problem) if place == 2 else ""
        said.append(FileDecision(edit.path, is_allowed=place == 0, words=words))
    return answer_by_file(asked, said)


def _no_problem(_text: str) -> str:
    """Accept any text, and an empty one."""
    return ""
