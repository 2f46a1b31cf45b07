"""Landlock: the paths that a thread and all its children may read and write.

Rights extend into folders and can't be revoked there, so a folder with an entry that must stay as it is gets its rights
entry by entry.
"""

import contextlib
import errno
import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from planact.adapters.sandbox.linux.kernel import Kernel
from planact.adapters.sandbox.linux.split import Hidden, split_readable

NEWEST_ABI = 7  # what this module knows
ABI_OF_TRUNCATE = 3
ABI_OF_NETWORK = 4
ABI_OF_SIGNALS = 6

# The same numbers on every machine.
_OPENAT2, _CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 437, 444, 445, 446
_AT_CWD, _O_PATH, _RESOLVE_NO_SYMLINKS = -100, 0o10000000, 4
_HOW_TO_OPEN = struct.pack("=QQQ", _O_PATH | getattr(os, "O_CLOEXEC", 0), 0, _RESOLVE_NO_SYMLINKS)
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
    """Readable paths (None = all) without the hidden ones, and writable paths."""

    readable: tuple[PurePath, ...] | None
    writable: tuple[PurePath, ...]
    kept: tuple[PurePath, ...] = ()
    hidden: Hidden | None = None


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


def open_up(path: PurePath, kept: Iterable[PurePath]) -> Iterator[PurePath]:
    """Yield `path`, or, where a path to keep lies in it, its entries, as deep as necessary, without the kept ones. No
    new entry can be made in a folder that was opened up.
    """
    inside = [keep for keep in kept if keep.is_relative_to(path)]
    if not inside:
        yield path
    elif path not in inside:
        with contextlib.suppress(OSError), os.scandir(path) as entries:
            for entry in entries:
                # A link could lead to what is kept.
                if not entry.is_symlink():
                    yield from open_up(path / entry.name, inside)


def _handled(abi: int, *, reads: bool) -> int:
    handled = _FIRST_RIGHTS if reads else _FIRST_RIGHTS & ~_READS
    handled |= _REFER if abi >= 2 else 0
    handled |= _TRUNCATE if abi >= ABI_OF_TRUNCATE else 0
    return handled | (_IOCTL_DEV if abi >= 5 else 0)


def _rules(paths: Paths) -> Iterator[tuple[PurePath | str, int]]:
    """Return the existing paths with the rights to them and to all below."""
    for device in _DEVICES:
        yield device, _WRITE_FILE | _TRUNCATE | _IOCTL_DEV | _READ_FILE
    for path in paths.readable or ():
        if str(path) in _DEVICES:
            continue
        for found in split_readable(str(path), paths.hidden):
            yield found.path, _READ_DIR if found.is_listed_only else _READS
    for path in paths.writable:
        for part in open_up(path, paths.kept):
            yield part, ~0


def _allow(kernel: Kernel, ruleset: int, path: PurePath | str, rights: int) -> None:
    try:
        # A link that was put in its place meanwhile gets nothing: rights go to the path itself.
        descriptor = kernel.call("openat2", _OPENAT2, _AT_CWD, os.fsencode(path), _HOW_TO_OPEN, len(_HOW_TO_OPEN))
    except OSError:
        return
    try:
        _add_rule(kernel, ruleset, descriptor, rights)
    except OSError as error:
        if error.errno != errno.EINVAL or not rights & ~_FOR_FILES:  # what it says of rights to a folder for a file
            raise
        if rights & _FOR_FILES:
            _add_rule(kernel, ruleset, descriptor, rights & _FOR_FILES)
    finally:
        os.close(descriptor)


def _add_rule(kernel: Kernel, ruleset: int, descriptor: int, rights: int) -> None:
    rule = struct.pack("=Qi", rights, descriptor)
    kernel.call("landlock_add_rule", _ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
