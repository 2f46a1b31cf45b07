"""The words of the chat that begin with a slash: one table, and how a message is read by it. Pure.

Only a known word is one: a message may begin with a path.
"""

import difflib
import re
from dataclasses import dataclass

from planact.base.errors import InvalidInput

_WORD = re.compile(r"/[A-Za-z]+(?=\s|$)")
_AS_TEXT = "-- "
"""Before a text that begins like a word of two, such as `/plan -- show the totals`."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the chat.

    Attributes:
        name: as it is written; of two words where the second is no text, such as `/plan show`.
        argument: what follows it, for people; in brackets = it may be missing; empty = nothing does.
        meaning: what it does.
        takes_text: whether several words may follow.
        works: whether the agent works on it, which takes a while.
    """

    name: str
    argument: str
    meaning: str
    takes_text: bool = False
    works: bool = False

    @property
    def usage(self) -> str:
        """How it is written."""
        return f"{self.name} {self.argument}".rstrip()


@dataclass(frozen=True, slots=True)
class SaidWord:
    """A word that was said, with what followed it."""

    name: str
    argument: str
    works: bool


WORDS: tuple[Word, ...] = (
    Word("/plan", "REQUEST", "make a plan", takes_text=True, works=True),
    Word("/plans", "", "list the plans"),
    Word("/plan show", "[ID]", "show a plan; without an id the one in hand or the latest"),
    Word("/plan delete", "ID", "delete a plan"),
    Word("/act", "[ID]", "carry out a plan; without an id the one in hand or the latest", works=True),
    Word("/resume", "[ID]", "go on with a run that stopped, or with its plan; without an id the newest", works=True),
    Word("/undo", "[STEP]", "take back what the newest run did to files, or one step of it", works=True),
    Word(
        "/planandact",
        "REQUEST",
        "make a plan and carry it out if it is safe, else ask",
        takes_text=True,
        works=True,
    ),
    Word("/template list", "", "list the templates"),
    Word("/template show", "NAME", "show a template"),
    Word("/template use", "NAME [PARAMETER=VALUE …]", "make a plan from a template", takes_text=True),
    Word("/template create", "NAME", "make a template from the plan in hand"),
    Word("/mode", "[plan|act]", "show or switch the mode"),
    Word("/role", "[NAME]", "list the roles, or have one work from now on"),
    Word("/model", "[NAME]", "show the model, or have another one speak in this session"),
    Word("/acceptall", "[off]", "do everything inside the folder without a question, in this session in Act"),
    Word("/compact", "", "make the conversation shorter for the model", works=True),
    Word("/cost", "", "what this session has used"),
    Word("/rewind", "[N]", "list what you wrote, or go back to before it, with the files", works=True),
    Word("/new", "", "begin a new session"),
    Word("/stop", "", "stop the work at the next safe point"),
    Word("/help", "", "this list"),
)


def read_word(message: str) -> SaidWord | None:
    """The word that a message is, or None for what goes to the agent: all that doesn't begin with a slash and letters
    alone.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, for a word that nobody knows, or what doesn't fit behind one.
    """
    found = _WORD.match(message)
    if found is None:
        return None
    first, rest = found.group().lower(), message[found.end() :].strip()
    word = _of_two(first, rest)
    if word is not None:
        rest = " ".join(rest.split(None, 1)[1:])
    else:
        word = next((each for each in WORDS if each.name == first), None)
    if word is None:
        raise _unknown(first)
    if word.takes_text:
        rest = rest.removeprefix(_AS_TEXT).strip()
    is_too_much = bool(rest) and not word.takes_text and (not word.argument or len(rest.split()) > 1)
    if is_too_much or (not rest and word.argument and not word.argument.startswith("[")):
        raise InvalidInput("INVALID_ARGUMENTS", f"{word.name} doesn't go like that", f"Write: {word.usage}")
    return SaidWord(word.name, rest, word.works)


def _of_two(first: str, rest: str) -> Word | None:
    """`/plan show the totals` is a request, since a plan's id is one word."""
    tokens = rest.split()
    name = f"{first} {tokens[0].lower()}" if tokens else first
    word = next((each for each in WORDS if each.name == name and each.name != first), None)
    is_alone = all(each.name != first for each in WORDS)
    fits = word is not None and (is_alone or word.takes_text or len(tokens) <= 2)
    return word if fits else None


def _unknown(first: str) -> InvalidInput:
    below = [each.usage for each in WORDS if each.name.startswith(f"{first} ")]
    if below:
        return InvalidInput("INVALID_ARGUMENTS", f"{first} needs a second word", f"Write one of: {', '.join(below)}")
    near = difflib.get_close_matches(first, [each.name for each in WORDS], 1, cutoff=0.6)
    advice = f"; did you mean {near[0]}?" if near else ""
    hint = "/help lists the words. To say it to the agent, put something before the slash."
    return InvalidInput("INVALID_ARGUMENTS", f"there is no word {first}{advice}", hint)
