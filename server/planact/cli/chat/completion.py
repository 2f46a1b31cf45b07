"""Candidates for completion at the cursor of a message: slash commands, their arguments, and @ files. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from planact.base.text import one_line
from planact.workflows.chat.slash_commands import SLASH_COMMANDS

_MENTION = re.compile(r"(?:^|(?<=[\s(]))@(?:(?P<quote>\")(?P<quoted>[^\"\n]*)|(?P<plain>[^\s\"]*))\Z")
_PLAIN = re.compile(r"[^\s`\"'<>|*?(){}\[\],;]+")
_MOST = 50
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that can replace the last `length` characters before the cursor; `detail` is for people."""

    text: str
    length: int
    detail: str = ""


Names = Mapping[str, Callable[[], Sequence[str]]]
"""Functions that list the possible arguments of each slash command."""


def candidates(before: str, names: Names, files: Callable[[], Sequence[str]]) -> Sequence[Candidate]:
    """Return the candidates for the text before the cursor, the best first.

    Args:
        before: the message up to the cursor.
        names: arguments of slash commands; called only for the command before the cursor.
        files: paths of the workspace's files; called only behind an @.
    """
    if before.startswith("/") and "\n" not in before:
        return [*_words(before), *_behind(before, names)]
    mention = _MENTION.search(before)
    return _mentions(mention, files()) if mention else ()


def _words(before: str) -> Iterator[Candidate]:
    typed = before.lower()
    for word in SLASH_COMMANDS:
        if word.name.startswith(typed) and (word.name != typed or word.argument):
            space = " " if word.argument else ""
            yield Candidate(f"{word.name}{space}", len(before), one_line(f"{word.argument}  {word.meaning}", _LONGEST))


def _behind(before: str, names: Names) -> Iterator[Candidate]:
    word, space, typed = before.rpartition(" ")
    if space and word in names:
        for name in names[word]():
            if name.startswith(typed) and name != typed:
                yield Candidate(name, len(typed))


def _mentions(mention: re.Match[str], paths: Sequence[str]) -> Sequence[Candidate]:
    typed = (mention["quoted"] if mention["quote"] else mention["plain"]).lower()
    length = len(mention.group())
    folders = {f"{parent}/" for path in paths for parent in PurePosixPath(path).parents if parent.name}
    found = sorted((rank, len(path), path) for path in (*paths, *folders) if (rank := _rank(path, typed)) is not None)
    return [Candidate(text, length) for *_, path in found[:_MOST] if (text := _as_mention(path))]


def _rank(path: str, typed: str) -> int | None:
    """Return the rank of a path, 0 = best; None if it doesn't contain the typed text."""
    low = path.lower()
    if typed not in low:
        return None
    name = PurePosixPath(low).name
    return 0 if low.startswith(typed) else 1 if name.startswith(typed) else 2


def _as_mention(path: str) -> str:
    """Return the @ mention of a path; empty for a path that no mention can name."""
    if path != one_line(path, len(path) + 1):
        return ""
    if _PLAIN.fullmatch(path) and path[-1] not in ".:!":
        return f"@{path}"
    return "" if '"' in path else f'@"{path}"'
