"""Find the files below a folder that usually hold credentials, so that jails can hide them, and what a command on trial
must not change or reach.

The list is exact for each command: a folder is read again whenever the kernel says that it changed, or that it may have
changed within the clock's resolution.
"""

import contextlib
import os
import stat
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from time import monotonic, time_ns

from planact.adapters.sandbox.limits.public_files import ADMINISTERED, is_for_all
from planact.model.rights.credentials import is_credential_folder, is_credential_name
from planact.model.rights.guarded import DEPENDENCY_FOLDERS, ENVIRONMENT_MARKS, READ_BY_GIT, is_guarded

MOST_HIDDEN = 1_000
"""With more of them, whole folders are hidden instead, from the deepest up."""

_MOST_FOLDERS = 200_000  # entries below further folders are hidden, since they were not searched
_UNSURE_NS = 2_000_000_000  # the coarsest clock of a file system
_SYSTEM_SECONDS = 10

_SYSTEM = frozenset(map(os.path.realpath, (*ADMINISTERED, "/srv", "/var")))
"""Folders of many folders that only the system's administrator fills: they are searched again after some seconds."""

_UNSEARCHED = frozenset(
    (
        *("/dev", "/nix", "/proc", "/run", "/snap", "/sys", "/usr/bin", "/usr/include", "/usr/lib", "/usr/lib32"),
        *("/usr/lib64", "/usr/libexec", "/usr/sbin", "/usr/share", "/usr/src", "/gnu/store", "/var/tmp"),  # noqa: S108
        *("/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ca-certificates", "/etc/pki/ca-trust", "/etc/pki/tls/certs"),
        "/var/lib/dpkg/info",
    )
)
"""What a search of the system leaves out: what packages bring, the certificates of public authorities, and folders that
jails don't open as a part of the system. A workspace in one of them is searched all the same.
"""

_UNSEARCHED_OF_GIT = frozenset(("objects", "refs", "logs"))  # names of branches and of hashes

_GIT_MARKS = (frozenset(("HEAD", "objects", "refs")), frozenset(("HEAD", "commondir")))
_ALL_MARKS = frozenset().union(*_GIT_MARKS)
BYTECODE = "__pycache__"

_Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class CredentialPaths:
    """Paths below the searched folders.

    Attributes:
        hidden: what to hide.
        repositories: each `.git`, folder or file, and each folder that git takes for one without that name.
        guarded: each entry that loads by itself (`is_guarded`) or is called like credentials, links as such, and pipes
            that git would read.
        bytecode: folders in which Python keeps what it compiled, outside dependencies.
        special: sockets, pipes and devices, which a mount for reading alone doesn't keep from being used.
        private: in the system's folders, what this user may read and others may not.
        closed: folders that can't be listed or entered.
    """

    hidden: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()
    guarded: tuple[str, ...] = ()
    bytecode: tuple[str, ...] = ()
    special: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()


@dataclass(slots=True)
class _Folder:
    """A folder as it was when it was read.

    Attributes:
        folders: names to search.
        hidden: names to hide.
        links: names of links that are called like credentials; their targets are hidden.
        guarded: names of entries that load by themselves.
        special: names of sockets, pipes and devices.
        private: names of what this user may read and others may not, where the folder is the system's.
        is_shut: its files can be opened by name, but not listed.
        is_closed: it can't be listed, or nothing in it can be opened.
        is_repository: it has a `.git`.
        is_bare: it is a repository itself, or what git keeps of a worktree.
        is_whole: it is that or an environment of Python's: guarded as a whole.
    """

    stamp: _Stamp
    read_at: int
    folders: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    guarded: list[str] = field(default_factory=list)
    special: list[str] = field(default_factory=list)
    private: list[str] = field(default_factory=list)
    is_shut: bool = False
    is_closed: bool = False
    is_repository: bool = False
    is_bare: bool = False
    is_whole: bool = False


_system_found: dict[tuple[str, int, int], tuple[float, CredentialPaths]] = {}
"""What was found last in each of them and when, by the folder, the most folders to search, and the user: each finder of
the process would else search thousands of folders anew.
"""


class CredentialFinder:
    """A search that remembers the folders it read. Any thread may call it; one search runs at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._trees: dict[str, _Tree] = {}

    def find(self, roots: Iterable[PurePath], most: int = MOST_HIDDEN) -> CredentialPaths:
        """Search below the folders `roots`; with more than `most` files, return the folders that contain them."""
        with self._lock:
            found = [self._tree(str(root)).search() for root in roots]
        hidden = {path for each in found for path in each.hidden}
        return CredentialPaths(
            tuple(sorted(coarse(hidden, most))),
            tuple(path for each in found for path in each.repositories),
            tuple(path for each in found for path in each.guarded),
            tuple(path for each in found for path in each.bytecode),
            tuple(path for each in found for path in each.special),
            tuple(sorted(coarse({path for each in found for path in each.private}, most))),
            tuple(path for each in found for path in each.closed),
        )

    def _tree(self, root: str) -> "_Tree":
        if root not in self._trees:
            self._trees[root] = _Tree(root)
        return self._trees[root]


class _Tree:
    """One folder with all folders below it."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._is_system = root in _SYSTEM
        self._known: dict[str, _Folder] = {}
        self._inodes: frozenset[int] = frozenset()

    def search(self) -> CredentialPaths:
        if not self._is_system:
            return self._search()
        key, now = (self._root, _MOST_FOLDERS, os.getuid()), monotonic()
        searched_at, found = _system_found.get(key, (-_SYSTEM_SECONDS, CredentialPaths()))
        if now >= searched_at + _SYSTEM_SECONDS:
            found = self._search()
            _system_found[key] = (now, found)
        return found

    def _search(self) -> CredentialPaths:
        found = self._walk()
        # A hidden file under another name is hidden there, too: it is told by its number.
        inodes = frozenset(_numbers_of_linked(found.hidden))
        if inodes != self._inodes:
            self._inodes = inodes
            self._known.clear()
            found = self._walk()
        return found

    def _walk(self) -> CredentialPaths:
        hidden: list[str] = []
        repositories: list[str] = []
        guarded: list[str] = []
        bytecode: list[str] = []
        special: list[str] = []
        private: list[str] = []
        closed: list[str] = []
        waiting = deque([self._root])
        count = 0
        while waiting:
            path = waiting.popleft()
            base = path.rstrip("/")
            count += 1
            folder = self._read(path) if count <= _MOST_FOLDERS else None
            if folder is not None and folder.is_closed:
                closed.append(path)
            if folder is None or folder.is_shut:
                hidden.append(path)
                continue
            hidden += [f"{base}/{name}" for name in folder.hidden]
            guarded += [f"{base}/{name}" for name in (*folder.guarded, *folder.hidden, *folder.links)]
            guarded += [path] if folder.is_whole else []
            special += [f"{base}/{name}" for name in folder.special]
            private += [f"{base}/{name}" for name in folder.private]
            for name in folder.links:
                target = os.path.realpath(f"{base}/{name}")
                hidden += [target] if target.startswith(f"{self._root.rstrip('/')}/") else []
            if folder.is_repository:
                repositories.append(f"{base}/.git")
            if folder.is_bare:
                repositories.append(path)
            if path.endswith(f"/{BYTECODE}") and DEPENDENCY_FOLDERS.isdisjoint(path.split("/")):
                bytecode.append(path)
            waiting.extend(f"{base}/{name}" for name in folder.folders)
        return CredentialPaths(*map(tuple, (hidden, repositories, guarded, bytecode, special, private, closed)))

    def _read(self, path: str) -> _Folder | None:
        """Return the folder; None when it is gone or can't be examined."""
        try:
            found = os.lstat(path)
        except OSError:
            return None
        # No program can set `ctime` back, as it can `mtime`.
        stamp = (found.st_ctime_ns, found.st_mtime_ns, found.st_ino, found.st_dev)
        known = self._known.get(path)
        # Of the system's folders the permission bits of entries count, by which a folder's time doesn't change.
        if not self._is_system and known and known.stamp == stamp and found.st_ctime_ns < known.read_at - _UNSURE_NS:
            return known
        self._known[path] = read = _scan(path, stamp, self._inodes, is_system=self._is_system)
        return read


def _scan(path: str, stamp: _Stamp, inodes: frozenset[int], *, is_system: bool) -> _Folder:
    found, marks = _Folder(stamp, time_ns()), set()
    is_git = "/.git/" in f"{path}/"
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                found.is_repository = found.is_repository or entry.name == ".git"
                found.is_whole = found.is_whole or entry.name in ENVIRONMENT_MARKS
                if entry.name in _ALL_MARKS:
                    marks.add(entry.name)
                if is_system and _is_kept_from_others(entry):
                    found.private.append(entry.name)
                _sort_in(entry, is_git, inodes, found)
    except OSError:
        return _Folder(stamp, found.read_at, is_shut=os.access(path, os.X_OK), is_closed=True)
    found.is_closed = not os.access(path, os.X_OK)
    found.is_bare = any(each <= marks for each in _GIT_MARKS)
    found.is_whole = found.is_whole or found.is_bare
    return found


def _is_kept_from_others(entry: os.DirEntry[str]) -> bool:
    """Return whether this user may read what is in an entry, and others may not. What is empty has nothing in it."""
    try:
        found = entry.stat(follow_symlinks=False)
    except FileNotFoundError:  # gone meanwhile, as temporary files are
        return False
    if stat.S_ISLNK(found.st_mode) or is_for_all(found.st_mode) or not os.access(entry.path, os.R_OK):
        return False
    if not stat.S_ISDIR(found.st_mode):
        return found.st_size > 0
    with os.scandir(entry.path) as entries:
        return any(entries)


def _sort_in(entry: os.DirEntry[str], is_git: bool, inodes: frozenset[int], found: _Folder) -> None:
    name, is_folder = entry.name, entry.is_dir(follow_symlinks=False)
    if entry.path in _UNSEARCHED or (is_git and is_folder and name in _UNSEARCHED_OF_GIT):
        return
    if entry.is_symlink():
        if is_credential_name(name) or is_credential_folder(name):
            found.links.append(name)
        elif name == BYTECODE or is_guarded(name, is_folder=True) or is_guarded(name, is_folder=False):
            found.guarded.append(name)
        return
    if (is_credential_folder if is_folder else is_credential_name)(name) or entry.inode() in inodes:
        found.hidden.append(name)
        return
    if is_guarded(name, is_folder=is_folder):
        found.guarded.append(name)
    if is_folder:
        found.folders.append(name)
    elif not entry.is_file(follow_symlinks=False):
        found.special.append(name)
        found.guarded += [name] if name.casefold() in READ_BY_GIT else []


def _numbers_of_linked(paths: Iterable[str]) -> Iterator[int]:
    for path in paths:
        with contextlib.suppress(OSError):
            found = os.lstat(path)
            if found.st_nlink > 1 and not stat.S_ISDIR(found.st_mode):
                yield found.st_ino


def coarse(paths: set[str], most: int) -> set[str]:
    """Return the paths, or with too many of them the folders that contain them, from the deepest up."""
    while len(paths) > most:
        deepest = max(path.count("/") for path in paths)
        paths = {path.rpartition("/")[0] if path.count("/") == deepest else path for path in paths}
    return {path for path in paths if not any(above in paths for above in _above(path))}


def _above(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path
