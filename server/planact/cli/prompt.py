"""Asks a question at the terminal: choices by number or label, anything else as text. Silence is never an answer."""

import asyncio
import os
import sys
from typing import Any

from planact.base.errors import InvalidInput
from planact.cli.screen import Screen, printable
from planact.model.answer import choices_called, value_of, wanted
from planact.model.question import Answered, DeclinedByUser, NobodyThere, Question, QuestionSet, Shown
from planact.workflows.check_answer import value_problem

DECLINE = "decline"


def somebody_is_there() -> bool:
    """Whether a person can see a question and answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


async def ask(screen: Screen, asked: QuestionSet, problem: str) -> Shown:
    """Ask until there is an answer to each question of the set; the end of input leaves it open for later."""
    if problem:
        screen.line(f"! {problem}")
    answers: dict[str, Any] = {}
    for question in asked.questions:
        show_question(screen, question)
        value = await _value(screen, question)
        if isinstance(value, DeclinedByUser | NobodyThere):
            return value
        answers[question.name] = value[0]
    return Answered(answers)


def show_question(screen: Screen, question: Question) -> None:
    """The question with its choices, numbered."""
    severity = "" if question.severity == "minor" else f"{question.severity.capitalize()} · "
    screen.strong(f"? {severity}{question.question}")
    for line in question.context.splitlines():
        screen.line(f"  {line}")
    for number, option in enumerate(question.options, 1):
        default = " (default)" if question.default is not None and option.value == question.default else ""
        description = f": {option.description}" if option.description else ""
        screen.line(f"  {number} {option.label}{default}{description}")
    if wish := wanted(question):
        screen.line(f"  ({wish})")


async def _value(screen: Screen, question: Question) -> tuple[Any] | DeclinedByUser | NobodyThere:
    while True:
        text = await _read_line(f"{_wanted(question)}: ")
        if text is None:
            return NobodyThere()
        text = text.strip()
        if text.casefold() == DECLINE and not choices_called(question, text):
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
        return f"  Your answer, or {DECLINE}"
    return f"  Number{', text' if question.allow_custom else ''} or {DECLINE}"


async def _read_line(prompt: str) -> str | None:
    """A line that is typed after the prompt was shown, or None at the end of input."""
    _forget_typed()
    print(printable(prompt), end="", file=sys.stderr, flush=True)
    if sys.platform == "win32":
        return await asyncio.to_thread(sys.stdin.readline) or None
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
        return (await line).decode("utf-8", "replace") or None
    finally:
        loop.remove_reader(descriptor)


def _forget_typed() -> None:
    # What was typed before the question was there can't be an answer to it.
    if sys.platform != "win32":
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
