"""The entries of a folder: all of them, or one that is known by its name."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast


@contextmanager
def listed(folder: str) -> Iterator[list["os.DirEntry[str]"]]:
    """List a folder, where it can be by a handle: that makes each `stat` cheaper. Raises OSError, also for a link."""
    if os.scandir not in os.supports_fd:
        with os.scandir(folder) as found:
            yield list(found)
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        with os.scandir(handle) as found:
            yield list(found)
    finally:
        os.close(handle)


class _SeenEntry:
    """What `os.scandir` returns for an entry."""

    def __init__(self, folder: str, name: str) -> None:
        self.name = name
        self._status = os.lstat(folder + name)

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        assert not follow_symlinks
        return self._status

    def is_symlink(self) -> bool:
        return stat.S_ISLNK(self._status.st_mode)

    def is_dir(self) -> bool:
        return stat.S_ISDIR(self._status.st_mode)


def seen_entry(folder: str, name: str) -> "os.DirEntry[str]":
    """Return one entry of a folder, whose path ends with a separator. Raises OSError."""
    return cast("os.DirEntry[str]", _SeenEntry(folder, name))
