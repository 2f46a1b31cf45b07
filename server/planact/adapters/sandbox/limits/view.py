"""The readable files of one command, computed for each command, since files with credentials come and go."""

import contextlib
import os
import socket
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath

from planact.adapters.sandbox.limits.find_credentials import CredentialFinder, CredentialPaths
from planact.adapters.sandbox.limits.sources import ways_to
from planact.base.own_folders import temporary_beside
from planact.model.rights.credentials import holds_credentials
from planact.model.rights.jail import JailProfile


@dataclass(frozen=True, slots=True)
class View:
    """The limits of a command's reading.

    Attributes:
        readable: files and folders, None = all.
        closed: folders in them that it may neither list nor read, but for entries of `readable`.
        hidden: files and folders in them that it may not read.
        credentials: those of the hidden that usually hold credentials.
        repositories: each `.git` in the searched folders, folder or file.
        found: all that the search of them found.
        fixed: paths below writable ones that stay as they are.
        held: folders below writable ones that can be neither renamed nor removed.
        empty: folders below fixed ones that are empty for it and its own.
        ways: links outside these that lead to what it may read, and what each names.
    """

    readable: tuple[PurePath, ...] | None = None
    closed: tuple[PurePath, ...] = ()
    hidden: tuple[str, ...] = ()
    credentials: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()
    found: CredentialPaths = field(default_factory=CredentialPaths)
    fixed: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()

    @property
    def unchanging(self) -> Iterator[str]:
        """Yield all that stays as it is, below writable folders and elsewhere."""
        yield from (*map(str, self.closed), *self.fixed, *self.hidden)


def view(profile: JailProfile, finder: CredentialFinder, outside: Sequence[str] = (), scratch: str = "") -> View:
    """Return the view of a command in `profile`, which may read the paths `outside` as well. Repositories are searched
    in the session's folder `scratch`, too. That and the session's `/tmp` are hidden from commands with a network. Reads
    the disk.
    """
    named = [Path(real) for real in _real(outside) if not holds_credentials(PurePosixPath(real))]
    found = finder.find((*profile.searched, *(path for path in named if os.path.isdir(path))))
    repositories = (*found.repositories, *(finder.find([Path(scratch)]).repositories if scratch else ()))
    session = (scratch, str(temporary_beside(Path(scratch)))) if scratch and profile.can_tell else ()
    left = tuple(filter(os.path.lexists, session))
    if profile.readable is None:
        there = filter(os.path.lexists, map(str, profile.hidden))
        return View(None, (), (*there, *found.hidden, *left), found.hidden, repositories, found)

    def stays(path: PurePath) -> bool:
        return not any(path.is_relative_to(name) for name in named)

    holds_special = profile.guards or profile.temporary
    special = [path for path in found.special if holds_special and _is_of_others(path, profile.guards)]
    own = tuple(map(_as_folder, (*profile.shown, *named)))
    private = [path for path in found.private if not _as_folder(path).startswith(own)]
    inside = tuple(map(_as_folder, private))
    below = (each for each in profile.shown if _as_folder(each).startswith(inside))
    known = (path for path in found.hidden if not path.startswith(inside))
    hidden = (*map(str, filter(stays, profile.hidden)), *private, *known, *special, *left)
    closed = tuple(filter(stays, profile.closed))
    readable = tuple(dict.fromkeys((*profile.readable, *below, *named)))
    ways = (*profile.ways, *ways_to(map(Path, outside)))
    return View(readable, closed, hidden, found.hidden, repositories, found, ways=ways)


def _as_folder(path: PurePath | str) -> str:
    return f"{str(path).rstrip('/')}/"


def _real(paths: Sequence[str]) -> Iterator[str]:
    """Yield the real paths, but for links that this user can't read, such as `/proc/1/root`."""
    for path in paths:
        with contextlib.suppress(OSError):
            yield os.path.realpath(path)


def _is_of_others(path: str, guards: PurePath | None) -> bool:
    """Return whether a socket or a pipe leads to another program, which a mount for reading alone doesn't prevent. One
    in a workspace that it may write may also be left by a command of before.
    """
    if guards is None or not PurePath(path).is_relative_to(guards):
        return True
    try:
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            return False
        with socket.socket(socket.AF_UNIX) as asked:
            asked.setblocking(False)
            asked.connect(path)
    except ConnectionRefusedError:
        return False
    except OSError:
        return True
    return True
