"""Calls of one command that differ only in options of a closed list and in files of the workspace, for rules that cover
all of them.
"""

import posixpath
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from planact.base.frozen_model import FrozenModel
from planact.shell.compare.without_filters import exact_words
from planact.shell.parse.plain import plain_commands

_NAME = re.compile(r"[\w][\w.:-]*")
_FILE = re.compile(r"[\w.][\w./:+-]*(?:\[[\w./:+-]*\])?")
"""Also the name of a test within one; `@file` would have more arguments."""


class _Row(FrozenModel):
    flags: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    files: bool = False
    named: bool = False


def similar_calls(line: str) -> str:
    """Return the words with which all calls begin that are like the one of a line; empty where there are none, since an
    option isn't known, a file isn't below the folder where it runs, or the line is more than one call.
    """
    commands = plain_commands(line)
    if commands is None or len(commands) != 1 or line[commands[0][-1].end :]:
        return ""
    words = exact_words(commands[0]) or ()
    for count in (3, 2, 1):
        start = " ".join(words[:count])
        if len(words) >= count and (row := _table().get(start)) is not None:
            left = words[count:]
            if row.named:
                if not left or not _NAME.fullmatch(left[0]):
                    return ""
                start, left = f"{start} {left[0]}", left[1:]
            return start if _are_known(left, row) else ""
    return ""


def _are_known(words: Sequence[str], row: _Row) -> bool:
    left = list(words)
    while left:
        word = left.pop(0)
        option, is_joined, _ = word.partition("=")
        if word in row.flags or (is_joined and option in row.values):
            continue
        if word in row.values and left and not left[0].startswith("-"):
            left.pop(0)
        elif not row.files or not _FILE.fullmatch(word) or posixpath.normpath(word).partition("/")[0] == "..":
            return False
    return True


@cache
def _table() -> Mapping[str, _Row]:
    text = Path(__file__).with_name("similar_calls.toml").read_text("utf-8")
    return {start: _Row.model_validate(row) for start, row in tomllib.loads(text).items()}
