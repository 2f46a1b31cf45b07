"""Arguments that several commands share, requests from words or a pipe, and the first line of the answer."""

import argparse
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from planact.base.errors import InvalidInput
from planact.base.home import home_of
from planact.cli.command import Invocation
from planact.cli.output.screen import Screen


def add_text(parser: argparse.ArgumentParser, help_: str) -> None:
    """Add the words of a request, read by `request`."""
    parser.add_argument("text", metavar="TEXT", nargs="*", help=help_)


def add_plan(parser: argparse.ArgumentParser) -> None:
    """Add the required id of a plan, read by `Engine.plan`."""
    parser.add_argument("plan", metavar="ID", help="id of the plan or its end, or the path of its document")


def add_confirmation(parser: argparse.ArgumentParser, help_: str) -> None:
    """Add `--yes`, the user's answer to the question that the command would ask."""
    parser.add_argument("-y", "--yes", action="store_true", help=help_)


def add_hash(parser: argparse.ArgumentParser) -> None:
    """Add `--hash`: the user approves only the text that has it."""
    help_ = "approve the plan if its text has this hash, as `plan show --json` gives it; anybody's plan"
    parser.add_argument("--hash", type=_hash, metavar="HASH", help=help_)


def _hash(text: str) -> str:
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no hash of a plan: it has 64 digits, 0 to 9 and a to f")
    return text.lower()


def request(invocation: Invocation) -> str:
    """Return the request: the words of the command line, else all of standard input if it is piped.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, when it is empty.
    """
    text = " ".join(invocation.options.text)
    if not text and not sys.stdin.isatty():
        text = sys.stdin.read()
    if not text.strip():
        hint = f"See: planact {invocation.options.command} --help"
        raise InvalidInput("INVALID_ARGUMENTS", "there is no request: give it as words or pipe it in", hint)
    return text


def announce(invocation: Invocation, mode: str, *, is_one_row: bool = False) -> None:
    """Print the mode and the folder, before modules load that take seconds. With `is_one_row` the line fits the
    terminal's width, because the chat erases one row.
    """
    place = place_of(invocation.root, home_of(invocation.environment))
    text = f"planact · {mode} · {place}"
    Screen(invocation.environment).line(_cut(text, shutil.get_terminal_size().columns) if is_one_row else text)


def _cut(text: str, columns: int) -> str:
    """Return the beginning of `text` that fits into so many columns; wide characters, such as Chinese, take two."""
    taken = 0
    for place, each in enumerate(text):
        taken += 2 if unicodedata.east_asian_width(each) in "WF" else 1
        if taken > columns:
            return text[:place]
    return text


def place_of(root: Path, home: Path) -> str:
    """Return the path of a folder as people write it: `~/…` below the home."""
    is_below = root != home and root.is_relative_to(home) and home != home.parent
    return f"~/{root.relative_to(home)}" if is_below else str(root)


def named_values(pairs: Sequence[str], option: str) -> dict[str, str]:
    """Return the values of `NAME=VALUE` pairs by name.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, for a pair without a name or `=`, and for a name that comes twice.
    """
    values: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name or not equals or name in values:
            hint = f"Write {option} NAME=VALUE, once for each name."
            raise InvalidInput("INVALID_ARGUMENTS", f"{option} {pair!r} can't be used", hint)
        values[name] = value
    return values


def full_id(name: str, ids: Iterable[str]) -> str:
    """Return the only one of `ids` that ends with `name`, which may be cut to its end; else `name` as it is."""
    found = [each for each in ids if each.endswith(name)]
    return found[0] if name and len(found) == 1 else name
