"""States of files, with their contents kept so that they can be put back."""

import hashlib
import os
import stat
import time
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from planact.adapters.store.disk.atomic import read_regular
from planact.adapters.store.disk.digests import SETTLED_AFTER, identity_of
from planact.adapters.store.git.blobs import GitBlobs
from planact.adapters.store.git.changed_since import ChangedSince, has_reliable_times
from planact.adapters.store.git.index import Tracked, blob_of, size_of
from planact.base.portions import portions
from planact.model.runs.touch import LARGEST_UNDONE, NOTHING, OTHER, FileState
from planact.ports import Files

MOST_BYTES = 50_000_000
"""So much is kept for one command, before it and after it each; what goes beyond is found, and not covered."""

MOST_FILES = 2_000
"""So many files of one command are covered."""

KNOWN_FOR = 24 * 3600
"""Seconds after which a text is kept anew though its file is as it was: what nothing names isn't kept for ever."""

_AT_ONCE = 4_000_000
"""Bytes of contents that are kept together, since each time waits for the disk."""

_LISTED_FROM = 50
"""Paths in one folder from which on it is listed."""

_TICK = 20_000_000
"""Nanoseconds. No clock of a disk whose times are trusted is coarser."""

_MOST_KNOWN = 50_000
"""Files whose kept content is remembered."""

Stamp = tuple[int, int, int, int, int]
_Contents = list[tuple[str, os.stat_result, bytes]]


@dataclass(slots=True)
class Budget:
    """The bytes that may still be kept, and `hashed` that may still be read to be told apart later. Contents that were
    kept before count too where it `counts_known`.
    """

    bytes: int = MOST_BYTES
    files: int = MOST_FILES
    hashed: int = 0
    counts_known: bool = False

    def takes(self, size: int) -> bool:
        """Return True and count the file if one of that size may still be kept."""
        if size > self.bytes or not self.files:
            return False
        self.bytes -= size
        self.files -= 1
        return True

    def hashes(self, size: int) -> bool:
        """Return True and count the file if one of that size may still be read."""
        if size > min(self.hashed, LARGEST_UNDONE):
            return False
        self.hashed -= size
        return True


@dataclass(frozen=True, slots=True)
class WatchedPaths:
    """Paths that are looked at again and again, whatever git knows of them: of many in one folder most may be missing,
    which its list tells at once.

    Attributes:
        by_folder: the paths in each folder by their names in small letters.
        others: paths whose names the disk may have in another form, or that differ from another by case alone.
    """

    paths: frozenset[str]
    by_folder: Mapping[str, Mapping[str, str]]
    others: Sequence[str]

    @classmethod
    def of(cls, paths: Collection[str]) -> "WatchedPaths":
        by_folder: dict[str, dict[str, str]] = {}
        others: list[str] = []
        for path in paths:
            folder, _, name = path.rpartition("/")
            is_plain = name.isascii() and name not in ("", ".", "..")
            if not is_plain or by_folder.setdefault(folder, {}).setdefault(name.lower(), path) != path:
                others.append(path)
        return cls(frozenset(paths), by_folder, others)

    def and_also(self, more: Collection[str]) -> "WatchedPaths":
        return WatchedPaths(self.paths.union(more), self.by_folder, [*self.others, *more]) if more else self


class FileStates:
    """Files of one workspace folder.

    Args:
        files: the folder.
        keep: keeps bytes, for `KNOWN_FOR` at least and as long as they are named; returns their SHA-256, in order.
        blobs: git's contents of it.
        now: the time in seconds.
        changed: tells what changed in folders; None = all of it has to be looked at each time.

    Attributes:
        trusts_times: a file with the same `stat` is the same; else its content decides.
    """

    def __init__(
        self,
        files: Files,
        keep: Callable[[Sequence[bytes]], Sequence[str]],
        blobs: GitBlobs,
        now: Callable[[], float] = time.time,
        changed: ChangedSince | None = None,
    ) -> None:
        self.changed = changed
        self.files = files
        self.blobs = blobs
        self.root = os.path.join(files.root, "")  # noqa: PTH118 (a string, for speed)
        self.trusts_times = has_reliable_times(files.root)
        self._keep = keep
        self._now = now
        self._known: dict[str, tuple[Stamp, FileState, float]] = {}

    def status(self, path: str) -> os.stat_result | None:
        """Return the `stat` of an entry, also of a link; None for a missing one."""
        try:
            return os.lstat(self.root + path)
        except (OSError, ValueError):
            return None

    def there(self, watched: WatchedPaths) -> dict[str, os.stat_result]:
        """Return the `status` of those that are there."""
        found: dict[str, os.stat_result] = {}
        for folder, paths in watched.by_folder.items():
            names = self._names_in(folder) if len(paths) > _LISTED_FROM else None
            present = paths.values() if names is None else [paths[name] for name in paths.keys() & names]
            found.update((path, status) for path in present if (status := self.status(path)) is not None)
        found.update((path, status) for path in watched.others if (status := self.status(path)) is not None)
        return found

    def _names_in(self, folder: str) -> Set[str] | None:
        """Return the names without case, as there are disks that don't mind it; None where they can't be listed."""
        try:
            return {name.casefold() for name in os.listdir(self.root + folder)}  # noqa: PTH208 (speed)
        except (OSError, ValueError):
            return None

    def is_settled(self, status: os.stat_result) -> bool:
        """Return False for a file that was changed just now: another change may leave its `stat` as it is."""
        return self.trusts_times and max(status.st_mtime, status.st_ctime) < self._now() - SETTLED_AFTER

    def load(
        self,
        statuses: Mapping[str, os.stat_result | None],
        largest: int,
        budget: Budget,
        *,
        is_listed: bool = False,
    ) -> dict[str, FileState]:
        """Return the states of paths, in order, with the content of files up to `largest` bytes kept. Content that was
        kept and hasn't changed since isn't read again. Paths that a walk found (`is_listed`) have the names that the
        disk gives them.
        """
        folders: dict[str, bool] | None = {} if is_listed else None
        found: dict[str, FileState] = {}
        waiting: _Contents = []
        size = 0
        for path, status in statuses.items():
            found[path], data = self._load(path, status, largest, budget, folders)
            if status is not None and data is not None:
                waiting.append((path, status, data))
                size += len(data)
            if size > _AT_ONCE:
                found |= self._keep_all(waiting)
                waiting, size = [], 0
        return found | self._keep_all(waiting)

    def committed(self, files: Mapping[str, tuple[Tracked, int]]) -> Mapping[str, FileState]:
        """Return the content of clean files, by path, from their blobs and their modes; unavailable ones are left
        out.
        """
        sizes = {path: (blob_of(tracked), size_of(tracked)) for path, (tracked, _) in files.items()}
        return self._of_blobs(dict(self.blobs.read(sizes)), files)

    def restorable(self, files: Mapping[str, tuple[Tracked, int]]) -> Mapping[str, FileState]:
        """Return the content of clean files as `committed` does, for files that `GitBlobs.lost` didn't name before."""
        found: dict[str, FileState] = {}
        for some in portions(files, lambda path: size_of(files[path][0]), _AT_ONCE):
            hashes = {path: blob_of(files[path][0]) for path in some}
            blobs = self.blobs.contents({*hashes.values()})
            known = {path: blobs[blob] for path, blob in hashes.items() if blob in blobs}
            found |= self._of_blobs(known, files)
        return found

    def _of_blobs(
        self, contents: Mapping[str, bytes], files: Mapping[str, tuple[Tracked, int]]
    ) -> dict[str, FileState]:
        digests = self._keep(list(contents.values())) if contents else ()
        return {
            path: FileState(kind="file", sha256=digest, mode=stat.S_IMODE(files[path][1]))
            for path, digest in zip(contents, digests, strict=True)
        }

    def _load(
        self,
        path: str,
        status: os.stat_result | None,
        largest: int,
        budget: Budget,
        folders: dict[str, bool] | None,
    ) -> tuple[FileState, bytes | None]:
        """Return the state, or OTHER and the content that is to be kept first."""
        if status is None:
            return NOTHING, None
        if stat.S_ISDIR(status.st_mode):
            return FileState(kind="directory", mode=stat.S_IMODE(status.st_mode)), None
        known = self._known.get(path)
        is_known = known is not None and known[0] == stamp(status) and 0 <= self._now() - known[2] < KNOWN_FOR
        is_known = is_known and self.trusts_times
        if known is not None and is_known and (not budget.counts_known or budget.takes(status.st_size)):
            return known[1], None
        is_file, is_link = stat.S_ISREG(status.st_mode), stat.S_ISLNK(status.st_mode)
        is_taken = not is_known and status.st_size <= largest and budget.takes(status.st_size)
        if not (is_file or is_link) or not (is_taken or budget.hashes(status.st_size)):
            return OTHER, None
        try:
            if not self._is_own(path, folders):
                return OTHER, None  # a link on the way
            full = Path(self.root + path)
            data = (
                os.fsencode(full.readlink()) if is_link else read_regular(full, largest if is_taken else LARGEST_UNDONE)
            )
            if is_taken:
                return OTHER, data
            return _file_or_link(hashlib.sha256(data).hexdigest(), status), None
        except OSError:
            return OTHER, None

    def left(self, path: str, status: os.stat_result | None) -> str:
        """Return `Files.identity` of a file as `status` saw it, so that each later change gives another one; empty
        where that isn't certain.
        """
        with suppress(OSError):
            if status is None or not self.trusts_times or status.st_dev != Path(self.root).stat().st_dev:
                return ""
            waiting = status.st_ctime_ns + _TICK - time.time_ns()
            if not self._is_own(path, {}) or waiting > _TICK:
                return ""
            time.sleep(max(0, waiting) / 1e9)
            now = os.lstat(self.root + path)
            return identity_of(now) if stamp(now) == stamp(status) else ""
        return ""

    def _is_own(self, path: str, folders: dict[str, bool] | None) -> bool:
        """Return whether a path leads where it says; `folders` are those of which that is known."""
        if folders is None:
            place = self.files.resolve_entry(path)
            return place.relative is not None and str(place.relative) == path
        return self._is_own_folder(path.rpartition("/")[0], folders)

    def _is_own_folder(self, folder: str, known: dict[str, bool]) -> bool:
        if folder not in known and not folder:
            known[""] = os.path.realpath(self.root) == os.path.normpath(self.root)
        elif folder not in known:
            is_own = self._is_own_folder(folder.rpartition("/")[0], known)
            known[folder] = is_own and stat.S_ISDIR(os.lstat(self.root + folder).st_mode)
        return known[folder]

    def _keep_all(self, contents: _Contents) -> dict[str, FileState]:
        found: dict[str, FileState] = {}
        digests = self._keep([data for _, _, data in contents]) if contents else ()
        for (path, status, _), digest in zip(contents, digests, strict=True):
            found[path] = _file_or_link(digest, status)
            if self.is_settled(status):
                if len(self._known) >= _MOST_KNOWN:
                    self._known.clear()
                self._known[path] = (stamp(status), found[path], self._now())
        return found


def stamp(status: os.stat_result) -> Stamp:
    """Return a value that differs when a file was changed."""
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode)


def is_new_link(now: os.stat_result | None, inode: int | None) -> bool:
    """Return whether a path became a further name (a hard link) of another file than `inode` (cut to 32 bits), which
    was there before; None = no file was.
    """
    if now is None or now.st_nlink < 2 or not stat.S_ISREG(now.st_mode):
        return False
    return inode is None or now.st_ino & 0xFFFFFFFF != inode & 0xFFFFFFFF


def _file_or_link(digest: str, status: os.stat_result) -> FileState:
    if stat.S_ISLNK(status.st_mode):
        return FileState(kind="link", sha256=digest)
    return FileState(kind="file", sha256=digest, mode=stat.S_IMODE(status.st_mode))
