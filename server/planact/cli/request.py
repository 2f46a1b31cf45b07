"""What the user asks for on the command line: its words, or what is piped in; and the first line of the answer."""

import argparse
import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from planact.base.errors import InvalidInput
from planact.cli.call import Call
from planact.cli.screen import Screen


def add_text(parser: argparse.ArgumentParser, help_: str) -> None:
    """The words of a request."""
    parser.add_argument("text", metavar="TEXT", nargs="*", help=help_)


def request(call: Call) -> str:
    """The request.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, when there is none.
    """
    text = " ".join(call.options.text)
    if not text and not sys.stdin.isatty():
        text = sys.stdin.read()
    if not text.strip():
        hint = f"See: planact {call.options.command} --help"
        raise InvalidInput("INVALID_ARGUMENTS", "there is no request: give it as words or pipe it in", hint)
    return text


def announce(call: Call, mode: str, *, is_one_row: bool = False) -> None:
    """Say at once where the work is done, before anything that takes time is loaded. What is drawn over that later
    counts on one row.
    """
    place = place_of(call.root, Path(call.environment.get("HOME", os.sep)))
    text = f"planact · {mode} · {place}"
    Screen(call.environment).line(_cut(text, shutil.get_terminal_size().columns) if is_one_row else text)


def _cut(text: str, columns: int) -> str:
    """`text` without what doesn't fit into so many columns, of which Chinese and the like take two each."""
    taken = 0
    for place, each in enumerate(text):
        taken += 2 if unicodedata.east_asian_width(each) in "WF" else 1
        if taken > columns:
            return text[:place]
    return text


def place_of(root: Path, home: Path) -> str:
    """The folder as people know it."""
    return f"~/{root.relative_to(home)}" if root != home and root.is_relative_to(home) else str(root)


def named_values(pairs: Sequence[str], option: str) -> dict[str, str]:
    """`NAME=VALUE` pairs by name.

    Raises:
        InvalidInput: INVALID_ARGUMENTS.
    """
    values: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name or not equals or name in values:
            hint = f"Write {option} NAME=VALUE, once for each name."
            raise InvalidInput("INVALID_ARGUMENTS", f"{option} {pair!r} can't be used", hint)
        values[name] = value
    return values
