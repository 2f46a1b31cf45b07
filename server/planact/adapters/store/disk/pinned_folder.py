"""Folders that are changed by a handle: whatever another process does to the way there, such as putting a link into it,
a change lands in the folder that was meant, or nowhere.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_HANDLES = "/proc/self/fd"
_FLAGS = (
    getattr(os, "O_PATH", 0)
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


@contextmanager
def pinned_folder(root: Path, folder: Path, *, is_made: bool = False) -> Iterator[Path]:
    """Yield a path of a folder below `root` that leads there through no link, as long as the context lasts; missing
    ones are made if it `is_made`. The path as it was given where the system has no such handles.

    Raises:
        OSError: FileNotFoundError and NotADirectoryError for what is on the way.
    """
    if sys.platform != "linux" or not folder.is_relative_to(root) or not os.path.isdir(_HANDLES):
        if is_made:
            _make(folder)
        yield folder
        return
    handle = os.open(root, _FLAGS)
    try:
        for name in folder.relative_to(root).parts:
            below = _open(name, handle, is_made=is_made)
            os.close(handle)
            handle = below
        yield Path(_HANDLES, str(handle))
    finally:
        os.close(handle)


@contextmanager
def pinned_entry(root: Path, path: Path, *, is_made: bool = False) -> Iterator[Path]:
    """Yield a path of an entry, which may be a link itself, that leads there through no other. Raises what
    `pinned_folder` does.
    """
    with pinned_folder(root, path.parent, is_made=is_made) as folder:
        yield folder / path.name


def _open(name: str, above: int, *, is_made: bool) -> int:
    try:
        try:
            return os.open(name, _FLAGS, dir_fd=above)
        except FileNotFoundError:
            if not is_made:
                raise
        with suppress(FileExistsError):  # another process has just made it
            os.mkdir(name, dir_fd=above)
        return os.open(name, _FLAGS, dir_fd=above)
    except NotADirectoryError as error:
        raise _no_directory() from error


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise _no_directory() from error


def _no_directory() -> NotADirectoryError:
    return NotADirectoryError(errno.ENOTDIR, "a file is where it needs a directory")
