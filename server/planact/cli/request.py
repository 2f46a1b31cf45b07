"""What the user asks for on the command line: its words, or what is piped in; and the first line of the answer."""

import argparse
import os
import sys
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


def announce(call: Call, mode: str) -> None:
    """Say at once where the work is done, before anything that takes time is loaded."""
    place = place_of(call.root, Path(call.environment.get("HOME", os.sep)))
    Screen(call.environment).line(f"planact · {mode} · {place}")


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
