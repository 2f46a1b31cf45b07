"""Calls of one command that differ only in options of a closed list and in files of the workspace, for rules that cover
all of them.
"""

import itertools
import posixpath
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from planact.base.frozen_model import FrozenModel
from planact.shell.compare.similar_commits import similar_commits
from planact.shell.compare.similar_requests import similar_in_line
from planact.shell.compare.without_filters import exact_words
from planact.shell.parse.plain import plain_commands

_NAME = re.compile(r"[\w][\w.:-]*")
_FILE = re.compile(r"[\w.][\w./:+-]*(?:\[[\w./:+-]*\])?")
"""Also the name of a test within one; `@file` would have more arguments."""
_VALUE = re.compile(r"[\w .,:+/-]*")
"""No `=` and no `;`, by which some programs set more than the option (`dotnet test -c Debug;OutDir=/x`)."""
_PATTERN = re.compile(r"[^;'\"\n]*")


class _Row(FrozenModel):
    flags: frozenset[str] = frozenset()
    limits: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    files: bool = False
    named: bool = False


def similar_calls(line: str, directory: str = "") -> tuple[str, ...]:
    """Return the words with which all calls begin that are like the one of a line, the narrowest first: those with all
    its options that limit what it does, then those with fewer; of requests to a server of this machine, curl and that;
    of lines that stage and commit, `git commit`. Empty where there are none, since an option isn't known, a file isn't
    below the folder where it runs, or the line is more than one call, other than requests and commits. That folder is
    `directory`, an absolute POSIX path.
    """
    if line.startswith("git "):
        return similar_commits(line, directory)
    commands = plain_commands(line)
    if commands is None:
        return ()
    if requests := similar_in_line(commands):
        return requests
    if len(commands) != 1 or line[commands[0][-1].end :]:
        return ()
    words = exact_words(commands[0]) or ()
    for count in (3, 2, 1):
        start = " ".join(words[:count])
        if len(words) >= count and (row := _table().get(start)) is not None:
            left = words[count:]
            if row.named:
                if not left or not _NAME.fullmatch(left[0]):
                    return ()
                start, left = f"{start} {left[0]}", left[1:]
            return _starts(start, left, row) if _are_known(left, row) else ()
    return ()


def _starts(start: str, words: Sequence[str], row: _Row) -> tuple[str, ...]:
    limits = sorted(row.limits.intersection(words))
    counts = range(len(limits), -1, -1)
    return tuple(" ".join((start, *some)) for count in counts for some in itertools.combinations(limits, count))


def _are_known(words: Sequence[str], row: _Row) -> bool:
    left = list(words)
    while left:
        word = left.pop(0)
        option, is_joined, value = word.partition("=")
        if word in row.flags | row.limits:
            continue
        if form := _PATTERN if option in row.patterns else _VALUE if option in row.values else None:
            if not is_joined:
                value = left.pop(0) if left and not left[0].startswith("-") else "\n"
            if form.fullmatch(value):
                continue
            return False
        if not row.files or not _FILE.fullmatch(word) or posixpath.normpath(word).partition("/")[0] == "..":
            return False
    return True


@cache
def _table() -> Mapping[str, _Row]:
    text = Path(__file__).with_name("similar_calls.toml").read_text("utf-8")
    return {start: _Row.model_validate(row) for start, row in tomllib.loads(text).items()}
