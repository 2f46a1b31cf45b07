"""Split a readable folder around its hidden paths, since Landlock's rights extend down and can't be revoked.

A folder on the way to a hidden path is opened entry by entry. Its names may be listed, which opens no file.
"""

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

_MOST_ENTRIES = 20_000
"""Of a folder with more entries that would have to be split nothing is opened: each costs time in every command."""


@dataclass(slots=True)
class Hidden:
    """Hidden paths as a tree.

    Attributes:
        is_hidden: with all below it, but for paths that are granted by name.
        has_closed: this path or one below it must not be listed.
        inodes: numbers of the hidden files, at the root of the tree.
    """

    entries: dict[str, "Hidden"] = field(default_factory=dict)
    is_hidden: bool = False
    has_closed: bool = False
    inodes: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, closed: Iterable[str], hidden: Iterable[str]) -> "Hidden | None":
        """Return the tree of absolute paths, or None without any."""
        tree = cls()
        for path in closed:
            tree._add(path, is_closed=True)
        for path in hidden:
            tree._add(path, is_closed=False)
            with contextlib.suppress(OSError):
                found = os.lstat(path)
                tree.inodes.update([found.st_ino] if stat.S_ISREG(found.st_mode) else [])
        return tree if tree.entries else None

    def _add(self, path: str, *, is_closed: bool) -> None:
        node = self
        node.has_closed |= is_closed
        for part in _parts(path):
            node = node.entries.setdefault(part, Hidden())
            node.has_closed |= is_closed
        node.is_hidden = True


@dataclass(frozen=True, slots=True)
class Part:
    """A path with all below it; `is_listed_only` = its folders may be listed, and no file opened."""

    path: str
    is_listed_only: bool = False


def split_readable(path: str, hidden: Hidden | None) -> Iterator[Part]:
    """Yield `path` whole where no hidden path lies in it, else its readable parts."""
    node = hidden
    for name in _parts(path):
        node = node.entries.get(name) if node else None
    if node is None or hidden is None:
        yield Part(path)
    elif not node.is_hidden:
        yield from _open(path, node, hidden.inodes, is_listed=False)


def _open(path: str, node: Hidden, inodes: set[int], *, is_listed: bool) -> Iterator[Part]:
    if not is_listed and not node.has_closed:
        yield Part(path, is_listed_only=True)
        is_listed = True
    try:
        with os.scandir(path) as found:
            entries = list(found)
    except OSError:
        return
    if len(entries) > _MOST_ENTRIES:
        return
    base = path.rstrip("/")
    for entry in entries:
        below = node.entries.get(entry.name)
        if entry.is_symlink():  # it opens what it leads to
            continue
        if below is None:
            # A hidden file under another name would open it.
            if entry.is_dir(follow_symlinks=False) or entry.inode() not in inodes:
                yield Part(f"{base}/{entry.name}")
        elif not below.is_hidden:
            yield from _open(f"{base}/{entry.name}", below, inodes, is_listed=is_listed)


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]
