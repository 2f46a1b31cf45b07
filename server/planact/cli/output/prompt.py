"""Questions at a plain terminal: choices by number or label, other answers as text. Silence is never an answer.

Of edits of several files the user can allow some and reject others.
"""

import asyncio
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from planact.base.errors import InvalidInput
from planact.cli.output.own_marks import set_apart
from planact.cli.output.screen import Screen
from planact.model.answer import choice_lines, has_numbers, matching_choices, value_of, wanted
from planact.model.question import Answered, DeclinedByUser, NobodyThere, Option, Question, QuestionSet, Shown
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
    may_reject,
    rejected_with,
)
from planact.workflows.questions.check_answer import value_problem


@dataclass(frozen=True, slots=True)
class MenuItem:
    """A line of a menu."""

    label: str
    detail: str = ""


class MenuPrompt(Protocol):
    """Menus and fields. `title` is empty if the question is printed right above. Cancelling removes them."""

    async def choose(self, title: str, choices: Sequence[MenuItem], at: int | None) -> int:
        """Return the index of the chosen item; a bare Enter chooses `at`, if it is given."""

    async def write(self, title: str, hint: str, default: str, problem_of: Callable[[str], str]) -> str:
        """Return a text; a bare Enter returns `default`. `problem_of` returns the fault of a text, or empty."""

    def introduce(self, question: Question, place: str) -> None:
        """Show a question; `place` is `2 of 3` or the like, or empty."""

    def compare(self, title: str, difference: str) -> None:
        """Show the proposed edit of a file as a unified diff."""


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


DECLINE_WORD = "decline"

_DIFF = re.compile(r"(?P<fence>`{3,})diff\n(?P<diff>.*)\n(?P=fence)", re.DOTALL)


def is_interactive() -> bool:
    """Return whether a user can see a question and answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


async def ask(screen: Screen, asked: QuestionSet, problem: str, difference: EditDiff) -> Shown:
    """Ask until each question of the set has an answer; the end of input leaves the set open for later.
    `difference` returns the unified diff of a proposed edit.
    """
    if problem:
        screen.line(f"! {problem}")
    if may_reject(asked):
        try:
            return await ask_approval(_Lines(screen), asked, difference)
        except _Left as left:
            return left.shown
    answers: dict[str, Any] = {}
    for question in asked.questions:
        show_question(screen, question)
        value = await _value(screen, question)
        if isinstance(value, DeclinedByUser | NobodyThere):
            return value
        answers[question.name] = value[0]
    return Answered(answers)


def show_question(screen: Screen, question: Question) -> None:
    """Print a question with its choices, numbered."""
    _show_text(screen, question)
    for line in choice_lines(question):
        screen.line(f"  {set_apart(line)}")
    if wish := wanted(question):
        screen.line(f"  ({wish})")


def _show_text(screen: Screen, question: Question) -> None:
    severity = "" if question.severity == "minor" else f"{question.severity.capitalize()} · "
    screen.strong(f"? {severity}{set_apart(question.question)}")
    context = question.context
    if (fenced := _DIFF.fullmatch(context)) is not None:
        screen.difference(fenced["diff"])
        return
    for line in context.splitlines():
        screen.line(f"  {set_apart(line)}")


class _Left(Exception):
    """The user declined or closed the input."""

    def __init__(self, shown: DeclinedByUser | NobodyThere) -> None:
        super().__init__()
        self.shown = shown


class _Lines:
    """Implements `MenuPrompt` with printed lines."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    async def choose(self, title: str, choices: Sequence[MenuItem], at: int | None) -> int:
        assert at is None
        for number, choice in enumerate(choices, 1):
            self._screen.line(f"  {number} {choice.label}{f': {choice.detail}' if choice.detail else ''}")
        options = tuple(Option(label=choice.label, value=f"{number}") for number, choice in enumerate(choices, 1))
        value = await _value(self._screen, Question(name=title or "approval", question="?", options=options))
        if isinstance(value, DeclinedByUser | NobodyThere):
            raise _Left(value)
        return int(value[0]) - 1

    async def write(self, title: str, hint: str, default: str, problem_of: Callable[[str], str]) -> str:
        self._screen.line("  ".join(part for part in ("", title, hint) if part or not title))
        while True:
            text = await _read_line(self._screen, "  › ")
            if text is None:
                raise _Left(NobodyThere())
            problem = problem_of(text.strip() or default)
            if not problem:
                return text.strip() or default
            self._screen.line(f"! {problem}")

    def introduce(self, question: Question, place: str) -> None:  # noqa: ARG002 - the question is asked alone
        _show_text(self._screen, question)

    def compare(self, title: str, difference: str) -> None:
        self._screen.strong(f"  {title}")
        self._screen.difference(difference)


async def _value(screen: Screen, question: Question) -> tuple[Any] | DeclinedByUser | NobodyThere:
    while True:
        text = await _read_line(screen, f"{_wanted(question)}: ")
        if text is None:
            return NobodyThere()
        text = text.strip()
        if text.casefold() == DECLINE_WORD and not matching_choices(question, text):
            return DeclinedByUser()
        try:
            value = value_of(question, text, is_numbered=True)
        except InvalidInput as error:
            screen.line(f"! {error.message}. {error.hint}")
            continue
        problem = value_problem(question, {question.name: value})
        if not problem:
            return (value,)
        screen.line(f"! {problem}")


def _wanted(question: Question) -> str:
    if not question.options:
        return f"  Your answer, or {DECLINE_WORD}"
    how = "Number" if has_numbers(question) else "Choice"
    return f"  {how}{', text' if question.allow_custom else ''} or {DECLINE_WORD}"


async def _read_line(screen: Screen, prompt: str) -> str | None:
    """Return a line that is typed after the prompt was shown, or None at the end of input."""
    discard_typed()
    screen.piece(prompt)
    if sys.platform == "win32":
        text = await asyncio.to_thread(sys.stdin.readline) or None
        screen.typed(text or "")
        return text
    loop = asyncio.get_running_loop()
    line: asyncio.Future[bytes] = loop.create_future()
    descriptor = sys.stdin.fileno()
    read = bytearray()

    def take() -> None:
        # The terminal gives whole lines; a long one comes in pieces.
        piece = os.read(descriptor, 65_536)
        read.extend(piece)
        if not line.done() and (not piece or piece.endswith(b"\n")):
            line.set_result(bytes(read))

    loop.add_reader(descriptor, take)
    try:
        text = (await line).decode("utf-8", "replace")
        screen.typed(text)
        return text or None
    finally:
        loop.remove_reader(descriptor)


def discard_typed() -> None:
    """Discard the keys typed so far: they can't answer a question that was not on the screen."""
    if sys.platform != "win32":
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
