"""The readable files of one command, computed for each command, since files with credentials come and go."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath

from planact.adapters.sandbox.limits.find_credentials import CredentialFinder
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
    """

    readable: tuple[PurePath, ...] | None = None
    closed: tuple[PurePath, ...] = ()
    hidden: tuple[str, ...] = ()
    credentials: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()


def view(profile: JailProfile, finder: CredentialFinder, outside: Sequence[str] = (), scratch: str = "") -> View:
    """Return the view of a command in `profile`, which may read the paths `outside` as well. Repositories are searched
    in the session's folder `scratch`, too. Reads the disk.
    """
    named = [Path(real) for path in outside if not holds_credentials(PurePosixPath(real := os.path.realpath(path)))]
    found = finder.find((*profile.searched, *(path for path in named if path.is_dir())))
    repositories = (*found.repositories, *(finder.find([Path(scratch)]).repositories if scratch else ()))
    if profile.readable is None:
        return View(None, (), found.hidden, found.hidden, repositories)

    def stays(path: PurePath) -> bool:
        return not any(path.is_relative_to(name) for name in named)

    hidden = (*map(str, filter(stays, profile.hidden)), *found.hidden)
    closed = tuple(filter(stays, profile.closed))
    return View((*profile.readable, *named), closed, hidden, found.hidden, repositories)
