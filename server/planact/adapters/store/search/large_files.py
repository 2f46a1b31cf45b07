"""Which files a search looks into: also those that are too large to be in memory at once."""

import os
import stat
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from planact.adapters.store.disk.walk import ListedFile, ListedFolder
from planact.adapters.store.search.skipped import SkipList
from planact.base.errors import InvalidInput

LARGEST_FILE = 10_000_000
"""Larger files are searched if they are text without a line that is larger than this."""

MOST_IN_LARGE_FILES = 500_000_000
"""Bytes of larger files that one search of a folder looks into."""

_MOST_AT_ONCE = 5_000
"""Files of a folder that one process searches alone."""

_CHUNK = 1_000_000
_ALL_READ = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH


class SearchedFiles:
    """The choice of what one search looks into below `root`: other files are added to `skipped`. `named` = what people
    see of a file that is asked for by itself.
    """

    def __init__(self, root: Path, skipped: SkipList, named: str = "") -> None:
        self.root = root
        self.skipped = skipped
        self._named = named
        self._room = MOST_IN_LARGE_FILES

    def among(
        self, listed: Iterable[ListedFile | ListedFolder], apart: Container[str] = ()
    ) -> Iterator[str | ListedFolder]:
        """Yield the paths of files to search, and folders, whose files are not looked at yet; never a folder of `apart`
        or with very many files. Raises InvalidInput FILE_BINARY, OSError for a file that is named.
        """
        for one in listed:
            if isinstance(one, ListedFile):
                if self._is_searched(one):
                    yield one.path
            elif one.path in apart or len(one.names) > _MOST_AT_ONCE:
                yield from self.among(one.files())
            else:
                yield one

    def paths(self, chosen: Iterable[str | ListedFolder]) -> list[str]:
        """Return the paths of all files to search of what was chosen."""
        found: list[str] = []
        for one in chosen:
            found += [one] if isinstance(one, str) else [file.path for file in one.files() if self._is_searched(file)]
        return found

    def are_plain(self, folders: Iterable[ListedFolder]) -> bool:
        """Return whether all files in folders can be read and none is large."""
        statuses = ((file.status(), self.root / file.path) for one in folders for file in one.files())
        return all(
            status is not None and status.st_size <= LARGEST_FILE and not _is_closed(status, path)
            for status, path in statuses
        )

    def _is_searched(self, file: ListedFile) -> bool:
        status, path = file.status(), self.root / file.path
        if status is None or _is_closed(status, path):
            self.skipped.add("unreadable", file.path)
            return False
        if status.st_size > LARGEST_FILE:
            self._room -= status.st_size
            if self._named:
                _check_lines(path, self._named)
            elif self._room < 0 or not _has_lines(path):
                self.skipped.add("too large", file.path)
                return False
        return True


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


def _is_closed(status: os.stat_result, path: Path) -> bool:
    """Return whether a file can't be read; the system is only asked where its mode doesn't say it."""
    return status.st_mode & _ALL_READ != _ALL_READ and not os.access(path, os.R_OK)
