"""Asks for leave for one call at a terminal: of edits of several files some can be allowed and others rejected."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from planact.model.question import Answered, Question, QuestionSet
from planact.workflows.review_edits import (
    ALLOW_FILE,
    ASK_WORDS,
    BY_FILE,
    REJECT_FILE,
    WITH_WORDS,
    Difference,
    Said,
    answer_by_file,
    edit_title,
    is_by_file,
    rejected_with,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """A line of a menu."""

    label: str
    detail: str = ""


class Asker(Protocol):
    """Menus and fields. `title` is empty where the question stands right above. Cancelling takes them away."""

    async def choose(self, title: str, choices: Sequence[Choice], at: int | None) -> int:
        """The place of the choice; `at` = what is chosen by a bare Enter."""
        ...

    async def write(self, title: str, hint: str, default: str, problem_of: Callable[[str], str]) -> str:
        """A text; a bare Enter means `default`, and `problem_of` says what is wrong with a text, or nothing."""
        ...

    def introduce(self, question: Question, place: str) -> None:
        """Show what is asked; `place` is such as `2 of 3`, or empty."""
        ...

    def compare(self, title: str, difference: str) -> None:
        """Show what would become of a file, as a unified diff."""
        ...


async def ask_leave(asker: Asker, asked: QuestionSet, difference: Difference) -> Answered:
    """Ask about the call, and about each file by itself if the user wants that."""
    question = asked.questions[0]
    asker.introduce(question, "")
    choices = [Choice(option.label, option.description) for option in question.options]
    by_file = [Choice(BY_FILE, "each difference by itself")] if is_by_file(asked) else []
    place = await asker.choose("", [*choices, *by_file, Choice(WITH_WORDS)], None)
    if place < len(choices):
        return Answered({question.name: question.options[place].value})
    if place == len(choices) + len(by_file):
        return rejected_with(asked, await asker.write("", ASK_WORDS, "", _no_problem))
    said: list[Said] = []
    for edit in asked.edits:
        asker.compare(edit_title(asked, edit), difference(edit))
        place = await asker.choose(edit.path, [*map(Choice, (ALLOW_FILE, REJECT_FILE, WITH_WORDS))], None)
        words = await asker.write(edit.path, ASK_WORDS, "", _no_problem) if place == 2 else ""
        said.append(Said(edit.path, is_allowed=place == 0, words=words))
    return answer_by_file(asked, said)


def _no_problem(_text: str) -> str:
    """Any words will do, and none."""
    return ""
