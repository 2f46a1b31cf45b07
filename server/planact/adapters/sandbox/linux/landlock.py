"""Landlock: the paths that a thread and all its children may read and write.

Rights extend into folders and can't be revoked there, so a folder with an entry that must stay as it is, or be hidden,
gets its rights entry by entry. Names of hidden entries may be listed, which opens no file.
"""

import contextlib
import errno
import functools
import os
import stat
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from planact.adapters.sandbox.linux.kernel import NO_LINKS, Kernel

_MOST_ENTRIES = 20_000
"""Of a folder with more entries that would have to be split nothing is opened: each costs time in every command."""


@dataclass(slots=True)
class _Node:
    """A path on the way to a hidden one, or a hidden one.

    Attributes:
        is_hidden: with all below it, but for paths that are granted by name.
        has_closed: this path or one below it must not be listed.
    """

    entries: dict[str, "_Node"] = field(default_factory=dict)
    is_hidden: bool = False
    has_closed: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A path with all below it; `is_listed_only` = its folders may be listed, and no file opened."""

    path: str
    is_listed_only: bool = False


@dataclass(frozen=True, slots=True)
class Division:
    """Readable paths, divided into those without a hidden path below and those to open entry by entry."""

    whole: tuple[Part, ...]
    opened: tuple[tuple[str, _Node], ...]
    hidden: tuple[str, ...]

    def parts(self) -> Iterator[Part]:
        """Yield all that may be read now. Reads the opened folders."""
        yield from self.whole
        inodes = _inodes(self.hidden) if self.opened else set()
        for path, node in self.opened:
            yield from _open(path, node, inodes, is_listed=False)


@functools.lru_cache(maxsize=32)
def divide(readable: tuple[PurePath, ...], closed: tuple[PurePath, ...], hidden: tuple[str, ...]) -> Division:
    """Divide the readable paths by the closed folders and hidden paths below them. Doesn't read the disk: the next
    command with the same paths gets the same division.
    """
    tree = _Node()
    for folder in closed:
        _add(tree, str(folder), is_closed=True)
    for path in hidden:
        _add(tree, path, is_closed=False)
    whole: list[Part] = []
    opened: list[tuple[str, _Node]] = []
    for path in map(str, readable):
        node: _Node | None = tree
        for name in _names(path):
            node = node.entries.get(name) if node else None
        if node is None or not tree.entries:
            whole.append(Part(path))
        elif not node.is_hidden:
            opened.append((path, node))
    return Division(tuple(whole), tuple(opened), hidden)


def _add(tree: _Node, path: str, *, is_closed: bool) -> None:
    node = tree
    node.has_closed |= is_closed
    for name in _names(path):
        node = node.entries.setdefault(name, _Node())
        node.has_closed |= is_closed
    node.is_hidden = True


def _inodes(paths: Iterable[str]) -> set[int]:
    """Return the numbers of the hidden files, since another name of one would open it."""
    found: set[int] = set()
    for path in paths:
        with contextlib.suppress(OSError):
            status = os.lstat(path)
            found.update([status.st_ino] if stat.S_ISREG(status.st_mode) else [])
    return found


def _open(path: str, node: _Node, inodes: set[int], *, is_listed: bool) -> Iterator[Part]:
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
        if entry.is_symlink():  # opening it would open its target
            continue
        if below is None:
            if entry.is_dir(follow_symlinks=False) or entry.inode() not in inodes:
                yield Part(f"{base}/{entry.name}")
        elif not below.is_hidden:
            yield from _open(f"{base}/{entry.name}", below, inodes, is_listed=is_listed)


def _names(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


NEWEST_ABI = 7  # the newest version that this module knows
ABI_OF_TRUNCATE = 3
ABI_OF_NETWORK = 4
ABI_OF_SIGNALS = 6

# The same numbers on every machine.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_FIRST_RIGHTS = (1 << 13) - 1
_READS = _EXECUTE | _READ_FILE | _READ_DIR
_FOR_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_NET_BIND_AND_CONNECT = 3
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3
_RULE_PATH_BENEATH = 1

_DEVICES = ("/dev/null", "/dev/zero", "/dev/full")


@dataclass(frozen=True, slots=True)
class Paths:
    """Readable paths (None = all), and writable ones, which may be read as well."""

    readable: Iterable[Part] | None
    writable: Iterable[str]


def landlock_abi(kernel: Kernel) -> int:
    """Return the version of Landlock that the kernel offers, 0 for none."""
    try:
        return kernel.call("landlock_create_ruleset", _CREATE_RULESET, None, 0, 1)
    except OSError:
        return 0


def restrict_paths(kernel: Kernel, abi: int, paths: Paths, *, has_network: bool) -> None:
    """Restrict the calling thread, for good; it must have given up new privileges. Missing paths are left out.

    Raises:
        OSError: the restriction isn't wholly in force; no command may run.
    """
    handled = _handled(abi, reads=paths.readable is not None)
    network = 0 if has_network or abi < ABI_OF_NETWORK else _NET_BIND_AND_CONNECT
    scoped = _SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS if abi >= ABI_OF_SIGNALS else 0
    size = 24 if abi >= ABI_OF_SIGNALS else 16 if abi >= ABI_OF_NETWORK else 8
    attributes = struct.pack("=QQQ", handled, network, scoped)[:size]
    ruleset = kernel.call("landlock_create_ruleset", _CREATE_RULESET, attributes, size, 0)
    try:
        for path, rights in _rules(paths):
            _allow(kernel, ruleset, path, rights & handled)
        kernel.call("landlock_restrict_self", _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def writable_parts(paths: Iterable[PurePath], kept: Sequence[str]) -> list[str]:
    """Return the paths, and of those with one to keep below it what `open_up` yields, without another name of a kept
    file.
    """
    inodes = _inodes(kept)
    found = [each for path in paths for each in open_up(str(path), kept)]
    return [path for path in found if not inodes or os.lstat(path).st_ino not in inodes]


def open_up(path: str, kept: Iterable[str]) -> Iterator[str]:
    """Yield `path`, or, where a path to keep lies in it, its entries, as deep as necessary, without the kept ones. No
    new entry can be made in a folder that was opened up. All paths are as `pathlib` writes them.
    """
    base = f"{path.rstrip('/')}/"
    inside = [keep for keep in kept if keep == path or keep.startswith(base)]
    if not inside:
        yield path
    elif path not in inside:
        on_the_way = {keep[len(base) :].partition("/")[0] for keep in inside}
        with contextlib.suppress(OSError), os.scandir(path) as entries:
            for entry in entries:
                if entry.is_symlink():  # it could lead to a kept entry
                    continue
                if entry.name in on_the_way:
                    yield from open_up(f"{base}{entry.name}", inside)
                else:
                    yield f"{base}{entry.name}"


def _handled(abi: int, *, reads: bool) -> int:
    handled = _FIRST_RIGHTS if reads else _FIRST_RIGHTS & ~_READS
    handled |= _REFER if abi >= 2 else 0
    handled |= _TRUNCATE if abi >= ABI_OF_TRUNCATE else 0
    return handled | (_IOCTL_DEV if abi >= 5 else 0)


def _rules(paths: Paths) -> Iterator[tuple[str, int]]:
    """Return the existing paths with the rights to them and to all below."""
    for device in _DEVICES:
        yield device, _WRITE_FILE | _TRUNCATE | _IOCTL_DEV | _READ_FILE
    for part in paths.readable or ():
        if part.path not in _DEVICES:
            yield part.path, _READ_DIR if part.is_listed_only else _READS
    for path in paths.writable:
        yield path, ~0


def _allow(kernel: Kernel, ruleset: int, path: str, rights: int) -> None:
    try:
        # A link that was put in its place meanwhile gets nothing: rights go to the path itself.
        descriptor = kernel.open_path(os.fsencode(path), NO_LINKS)
    except OSError:
        return
    try:
        _add_rule(kernel, ruleset, descriptor, rights)
    except OSError as error:
        if error.errno != errno.EINVAL or not rights & ~_FOR_FILES:  # its answer to a folder's rights on a file
            raise
        if rights & _FOR_FILES:
            _add_rule(kernel, ruleset, descriptor, rights & _FOR_FILES)
    finally:
        os.close(descriptor)


def _add_rule(kernel: Kernel, ruleset: int, descriptor: int, rights: int) -> None:
    rule = struct.pack("=Qi", rights, descriptor)
    kernel.call("landlock_add_rule", _ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
