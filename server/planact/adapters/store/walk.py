"""Lists the files of a folder that matter: in order, without following links, as `.gitignore` and `.ignore` want it."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from planact.adapters.store.atomic import is_temporary, read_regular
from planact.adapters.store.ignore_rules import LARGEST_IGNORE_FILE, IgnoreRules


class Found(NamedTuple):
    """A regular file: its path relative to the root, with `/`, and its size in bytes."""

    path: str
    size: int


class _Level(NamedTuple):
    """The ignore files of one directory."""

    ignore: IgnoreRules
    gitignore: IgnoreRules


def walk(root: Path, start: str, hidden: Sequence[IgnoreRules], left_out: frozenset[str]) -> Iterator[Found]:
    """Regular files below the directory `start` (relative to `root`, empty = the root), sorted in each directory.

    Leaves out what `hidden` hides and directories named in `left_out`, and what ignore files between the root and a
    file ignore. `start` itself isn't judged: who names an ignored directory wants it.
    """
    parts = start.split("/") if start else []
    levels = [_level(root, "/".join(parts[:count])) for count in range(len(parts))]
    stack = [_entries(root, start, (*levels, _level(root, start)), hidden, left_out)]
    while stack:
        entry = next(stack[-1], None)
        if entry is None:
            stack.pop()
        elif isinstance(entry, Found):
            yield entry
        else:
            path, above = entry
            stack.append(_entries(root, path, (*above, _level(root, path)), hidden, left_out))


def _entries(
    root: Path, directory: str, levels: tuple[_Level, ...], hidden: Sequence[IgnoreRules], left_out: frozenset[str]
) -> Iterator[Found | tuple[str, tuple[_Level, ...]]]:
    """The files of a directory, and its directories with the ignore files that hold for them."""
    try:
        with os.scandir(root / directory) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = f"{directory}/{entry.name}" if directory else entry.name
        try:
            is_directory = entry.is_dir(follow_symlinks=False)
            is_file = entry.is_file(follow_symlinks=False)
            size = entry.stat(follow_symlinks=False).st_size if is_file else 0
            path.encode()  # a name that is no text can't be shown or asked for
        except (OSError, UnicodeEncodeError):
            continue
        if not (is_directory or is_file) or is_temporary(entry.name) or (is_directory and entry.name in left_out):
            continue
        if any(rules.verdict(path, is_directory=is_directory) for rules in hidden) or _ignored(
            path, is_directory, levels
        ):
            continue
        yield (path, levels) if is_directory else Found(path, size)


def _ignored(path: str, is_directory: bool, levels: tuple[_Level, ...]) -> bool:
    """The nearest file with an opinion decides; `.ignore` files before `.gitignore` files."""
    for files in ([level.ignore for level in levels], [level.gitignore for level in levels]):
        for rules in reversed(files):
            verdict = rules.verdict(path, is_directory=is_directory)
            if verdict is not None:
                return verdict
    return False


def _level(root: Path, directory: str) -> _Level:
    return _Level(*(IgnoreRules(_lines(root / directory / name), directory) for name in (".ignore", ".gitignore")))


def _lines(path: Path) -> list[str]:
    try:
        return read_regular(path, LARGEST_IGNORE_FILE).decode("utf-8-sig", "replace").split("\n")
    except OSError:
        return []
