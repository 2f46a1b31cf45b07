"""Calls of package managers that fetch packages, as far as their words tell."""

import posixpath
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from planact.shell.compare.without_filters import exact_words
from planact.shell.parse.plain import plain_commands

_LONGEST = 3
"""Words of a program in the table."""


def fetches_packages(line: str) -> bool:
    """Return whether a command of the line fetches packages; False where the line is none that can be read as it is."""
    words = (exact_words(command) for command in plain_commands(line) or ())
    return any(_fetches(each) for each in words if each)


def _fetches(words: Sequence[str]) -> bool:
    named = [posixpath.basename(words[0]), *words[1:]]
    for count in range(1, _LONGEST + 1):
        program, left = " ".join(named[:count]), named[count:]
        verbs = _table()["fetching"].get(program)
        verb = next((word for word in left if word[:1] != "-"), "")
        if verbs is not None and (not verbs or verb in verbs):
            own = left[: left.index("--")] if "--" in left else left
            offline = _table()["offline"]
            return all(offline.get(each, frozenset()).isdisjoint(own) for each in (program, f"{program} {verb}"))
    return named == ["yarn"]


@cache
def _table() -> Mapping[str, Mapping[str, frozenset[str]]]:
    text = Path(__file__).with_name("package_managers.toml").read_text("utf-8")
    return {
        kind: {program: frozenset(words) for program, words in each.items()}
        for kind, each in tomllib.loads(text).items()
    }
