"""The words of the chat that begin with a slash: one table, and how a message is read by it. Pure.

Only a known word is one: a message may begin with a path.
"""

import difflib
import re
from dataclasses import dataclass

from planact.base.errors import InvalidInput

_WORD = re.compile(r"/[A-Za-z]+(?=\s|$)")
_AS_TEXT = "-- "
"""Put before a text that begins like a command's second word: `/plan -- show the totals`."""


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A slash command of the chat.

    Attributes:
        name: as the user types it; two words where the second is no text, as in `/plan show`.
        argument: its argument, for people; in brackets = optional; empty = none.
        meaning: its effect.
        takes_text: several words may follow.
        works: the agent works on it, which takes a while.
    """

    name: str
    argument: str
    meaning: str
    takes_text: bool = False
    works: bool = False

    @property
    def usage(self) -> str:
        """The syntax, as shown in `/help`."""
        return f"{self.name} {self.argument}".rstrip()


@dataclass(frozen=True, slots=True)
class SlashCommandCall:
    """A word that was said, with what followed it."""

    name: str
    argument: str
    works: bool


SLASH_COMMANDS: tuple[SlashCommand, ...] = (
    SlashCommand("/plan", "REQUEST", "make a plan", takes_text=True, works=True),
    SlashCommand("/plans", "", "list the plans"),
    SlashCommand("/plan show", "[ID]", "show a plan; without an id the one in hand or the latest"),
    SlashCommand("/plan delete", "ID", "delete a plan"),
    SlashCommand("/act", "[ID]", "carry out a plan; without an id the one in hand or the latest", works=True),
    SlashCommand(
        "/resume", "[ID]", "go on with a run that stopped, or with its plan; without an id the newest", works=True
    ),
    SlashCommand("/undo", "[STEP]", "take back what the newest run did to files, or one step of it", works=True),
    SlashCommand(
        "/planandact",
        "REQUEST",
        "make a plan and carry it out if it is safe, else ask",
        takes_text=True,
        works=True,
    ),
    SlashCommand("/template list", "", "list the templates"),
    SlashCommand("/template show", "NAME", "show a template"),
    SlashCommand("/template use", "NAME [PARAMETER=VALUE …]", "make a plan from a template", takes_text=True),
    SlashCommand(
        "/template create",
        "[--from-plan ID] -n NAME [-d TEXT] [-p PARAMETER=TEXT]",
        "make a template from the plan in hand, or from another",
        takes_text=True,
    ),
    SlashCommand("/mode", "[plan|act]", "show or switch the mode"),
    SlashCommand("/role", "[NAME]", "list the roles, or have one work from now on"),
    SlashCommand("/model", "[NAME]", "show the model, or have another one speak in this session"),
    SlashCommand("/acceptall", "[off]", "do everything inside the folder without a question, in this session in Act"),
    SlashCommand("/compact", "", "make the conversation shorter for the model", works=True),
    SlashCommand("/status", "", "show the mode, the role, the model and the repository's instructions"),
    SlashCommand("/cost", "", "what this session has used"),
    SlashCommand("/rewind", "[N]", "list what you wrote, or go back to before it, with the files", works=True),
    SlashCommand("/new", "", "begin a new session"),
    SlashCommand("/stop", "", "stop the work at the next safe point"),
    SlashCommand("/help", "", "this list"),
)


def parse_slash_command(message: str) -> SlashCommandCall | None:
    """Parse a message that begins with a slash and letters alone; None for all others, which go to the agent.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, for an unknown command or an argument that doesn't fit.
    """
    found = _WORD.match(message)
    if found is None:
        return None
    first, rest = found.group().lower(), message[found.end() :].strip()
    word = _of_two(first, rest)
    if word is not None:
        rest = " ".join(rest.split(None, 1)[1:])
    else:
        word = next((each for each in SLASH_COMMANDS if each.name == first), None)
    if word is None:
        raise _unknown(first)
    if word.takes_text:
        rest = rest.removeprefix(_AS_TEXT).strip()
    is_too_much = bool(rest) and not word.takes_text and (not word.argument or len(rest.split()) > 1)
    if is_too_much or (not rest and word.argument and not word.argument.startswith("[")):
        raise InvalidInput("INVALID_ARGUMENTS", f"{word.name} takes other arguments", f"Write: {word.usage}")
    return SlashCommandCall(word.name, rest, word.works)


def _of_two(first: str, rest: str) -> SlashCommand | None:
    """`/plan show the totals` is a request, since a plan's id is one word."""
    tokens = rest.split()
    name = f"{first} {tokens[0].lower()}" if tokens else first
    word = next((each for each in SLASH_COMMANDS if each.name == name and each.name != first), None)
    is_alone = all(each.name != first for each in SLASH_COMMANDS)
    fits = word is not None and (is_alone or word.takes_text or len(tokens) <= 2)
    return word if fits else None


def _unknown(first: str) -> InvalidInput:
    below = [each.usage for each in SLASH_COMMANDS if each.name.startswith(f"{first} ")]
    if below:
        return InvalidInput("INVALID_ARGUMENTS", f"{first} needs a second word", f"Write one of: {', '.join(below)}")
    near = difflib.get_close_matches(first, [each.name for each in SLASH_COMMANDS], 1, cutoff=0.6)
    advice = f"; did you mean {near[0]}?" if near else ""
    hint = "/help lists the commands. To send it to the agent, put a word before the slash."
    return InvalidInput("INVALID_ARGUMENTS", f"there is no command {first}{advice}", hint)
