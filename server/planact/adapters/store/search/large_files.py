"""Which files a search looks into: also those that are too large to be in memory at once."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from planact.adapters.store.disk.walk import ListedFile
from planact.adapters.store.search.skipped import SkipList
from planact.base.errors import InvalidInput

LARGEST_FILE = 10_000_000
"""Larger files are searched if they are text without a line that is larger than this."""

MOST_IN_LARGE_FILES = 500_000_000
"""Bytes of larger files that one search of a folder looks into."""

_CHUNK = 1_000_000
_ALL_READ = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH


def searched_files(root: str, files: Iterable[ListedFile], skipped: SkipList, named: str) -> Iterator[str]:
    """Yield the paths of files to search; others are added to `skipped`. `named` = what people see of a file that is
    asked for by itself. Raises InvalidInput FILE_BINARY, OSError for that.
    """
    room = MOST_IN_LARGE_FILES
    for file in files:
        status, path = file.status(), f"{root}/{file.path}"
        if status is None or _is_closed(status, path):
            skipped.add("unreadable", file.path)
            continue
        if status.st_size > LARGEST_FILE:
            room -= status.st_size
            if named:
                _check_lines(Path(path), named)
            elif room < 0 or not _has_lines(Path(path)):
                skipped.add("too large", file.path)
                continue
        yield file.path


def _check_lines(path: Path, shown: str) -> None:
    """Check that no line is longer than may be in memory. Raises InvalidInput FILE_BINARY, OSError."""
    length = 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            length = length + len(chunk) if b"\n" not in chunk else len(chunk) - chunk.rfind(b"\n")
            if b"\0" in chunk or length > LARGEST_FILE:
                cause = "is binary" if b"\0" in chunk else f"has a line of more than {LARGEST_FILE} bytes"
                raise InvalidInput("FILE_BINARY", f"{shown} {cause}", "A command such as `grep -a -o` may search in it")


def _has_lines(path: Path) -> bool:
    """Return whether `_check_lines` has nothing against a large file."""
    try:
        _check_lines(path, "")
    except (InvalidInput, OSError):
        return False
    return True


def _is_closed(status: os.stat_result, path: str) -> bool:
    """Return whether a file can't be read; the system is only asked where its mode doesn't say it."""
    return status.st_mode & _ALL_READ != _ALL_READ and not os.access(path, os.R_OK)
