"""Find the changes of a command, by comparing the files before it and after it.

The comparison is cheap: `stat` of tracked files and of the files that the work is about. Beforehand only content that
git couldn't give back is read: the files that the work is about, and tracked files that differ from git, up to a limit.
"""

import os
import stat
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePosixPath

from planact.adapters.store.disk.digests import SETTLED_AFTER
from planact.adapters.store.git.blobs import GitBlobs
from planact.adapters.store.git.index import NO_INDEX, Index, Tracked, index_file, read_index
from planact.base.errors import EditFailure, InvalidInput
from planact.model.runs.touch import NOTHING, OTHER, FileState, Touch
from planact.ports import Files

MAX_BEFORE_IMAGE_BYTES = 1_000_000
"""Bytes of a tracked file that is kept beforehand because git couldn't give it back."""

MOST_BYTES = 50_000_000
"""So much is kept for one command, before it and after it each; what goes beyond is found, and not covered."""

MOST_FILES = 2_000
"""So many files of one command are covered."""

MOST_TRACKED = 200_000
"""Files; a larger repository isn't looked at, but for what the work is about."""

KNOWN_FOR = 24 * 3600
"""Seconds after which a text is kept anew though its file is as it was: what nothing names isn't kept for ever."""

_Stamp = tuple[int, int, int, int, int]


class FileFootprints:
    """`ports.Footprints` of one workspace folder.

    Args:
        files: the folder.
        keep: keeps bytes, for `KNOWN_FOR` at least and as long as they are named; returns their SHA-256.
        blobs: git's contents of it.
        largest: bytes of a file that the work is about.
        now: the time in seconds.
    """

    def __init__(
        self,
        files: Files,
        keep: Callable[[bytes], str],
        blobs: GitBlobs,
        largest: int,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._files = files
        self._root = os.path.join(files.root, "")  # noqa: PTH118 (a string, for speed)
        self._keep = keep
        self._blobs = blobs
        self._largest = largest
        self._now = now
        self._index: tuple[tuple[int, ...], Index] = ((), NO_INDEX)
        self._known: dict[str, tuple[_Stamp, FileState, float]] = {}

    def snapshot(self, named: Collection[str]) -> "EarlierState":
        index = self._tracked()
        known_modes: dict[int, int] = {}  # one number for all files that have it: there may be 200,000
        own = {*named, *self._folders_to_come(named)}
        statuses = {path: self.status(path) for path in own}
        budget = Budget()
        kept = {path: self.state(path, statuses[path], self._largest, budget) for path in sorted(own)}
        modes: dict[str, int] = {}
        for path, tracked in index.files.items():
            if path in kept:
                continue
            now = self.status(path)
            if now is not None and tracked.is_clean(now, index.written):
                modes[path] = known_modes.setdefault(now.st_mode, now.st_mode)
                continue
            statuses[path] = now
            if now is not None:
                kept[path] = self.state(path, now, MAX_BEFORE_IMAGE_BYTES, budget)
        return EarlierState(self, index, statuses, modes, kept)

    def status(self, path: str) -> os.stat_result | None:
        """Return the `stat` of an entry, also of a link; None for a missing one."""
        try:
            return os.lstat(self._root + path)
        except (OSError, ValueError):
            return None

    def state(self, path: str, status: os.stat_result | None, largest: int, budget: "Budget") -> FileState:
        """Return the state of a file, with its content kept. Content that was kept and hasn't changed since isn't read
        again.
        """
        if status is None:
            return NOTHING
        if stat.S_ISDIR(status.st_mode):
            return FileState(kind="directory")
        known = self._known.get(path)
        now = self._now()
        if known is not None and known[0] == stamp(status) and 0 <= now - known[2] < KNOWN_FOR:
            return known[1]
        if not stat.S_ISREG(status.st_mode) or status.st_size > largest or not budget.takes(status.st_size):
            return OTHER
        try:
            place = self._files.resolve(path)
            if place.relative is None or str(place.relative) != path:
                return OTHER  # a link on the way
            digest = self._keep(self._files.read(place, largest))
        except (InvalidInput, EditFailure):
            return OTHER
        state = FileState(kind="file", sha256=digest, mode=stat.S_IMODE(status.st_mode))
        if max(status.st_mtime, status.st_ctime) < now - SETTLED_AFTER:
            self._known[path] = (stamp(status), state, now)
        return state

    def committed(self, files: Mapping[str, tuple[Tracked, int]]) -> Mapping[str, FileState]:
        """Return the content of clean files, by path, from their blobs and their modes; unavailable ones are left
        out.
        """
        sizes = {path: (tracked.blob, tracked.size) for path, (tracked, _) in files.items()}
        return {
            path: FileState(kind="file", sha256=self._keep(data), mode=stat.S_IMODE(files[path][1]))
            for path, data in self._blobs.read(sizes)
        }

    def _folders_to_come(self, named: Collection[str]) -> Iterator[str]:
        """Return the missing parent folders of missing files."""
        for path in named:
            for above in PurePosixPath(path).parents:
                if self.status(str(above)) is not None:
                    break
                yield str(above)

    def _tracked(self) -> Index:
        found = index_file(self._files.root)
        if found is None:
            return NO_INDEX
        path, prefix = found
        status = path.stat()
        if self._index[0] != stamp(status):
            index = read_index(path, prefix)
            self._index = (stamp(status), index if len(index.files) <= MOST_TRACKED else NO_INDEX)
        return self._index[1]


@dataclass(slots=True)
class Budget:
    """The bytes that may still be kept."""

    bytes: int = MOST_BYTES
    files: int = MOST_FILES

    def takes(self, size: int) -> bool:
        """Return True and count the file if one of that size may still be kept."""
        if size > self.bytes or not self.files:
            return False
        self.bytes -= size
        self.files -= 1
        return True


@dataclass(frozen=True, slots=True)
class EarlierState:
    """`ports.Before`: the earlier state, as far as git doesn't know it. Of clean files, which are many, only the mode
    is kept.
    """

    looker: FileFootprints
    index: Index
    statuses: Mapping[str, os.stat_result | None]
    modes: Mapping[str, int]
    kept: Mapping[str, FileState] = field(default_factory=dict)

    def found(self) -> Sequence[Touch]:
        now: dict[str, os.stat_result | None] = {}
        for path in chain(self.index.files, self.statuses.keys() - self.index.files.keys()):
            status = self.looker.status(path)
            if self._is_changed(path, status):
                now[path] = status
        changed = list(now)
        before = self._states_before(changed)
        budget = Budget()
        after = {path: self.looker.state(path, now[path], LARGEST_AFTER, budget) for path in changed}
        return [
            Touch(path=path, before=before.get(path), after=after[path])
            for path in changed
            if before.get(path) != after[path] or after[path] == OTHER
        ]

    def _is_changed(self, path: str, now: os.stat_result | None) -> bool:
        if path in self.modes:
            return now is None or not self.index.files[path].is_clean(now, self.index.written)
        return _stamp(now) != _stamp(self.statuses[path])

    def _states_before(self, changed: Iterable[str]) -> Mapping[str, FileState]:
        states: dict[str, FileState] = {}
        clean: dict[str, tuple[Tracked, int]] = {}
        budget = Budget()
        for path in changed:
            if path in self.kept:
                states[path] = self.kept[path]
            elif path not in self.modes:
                states[path] = NOTHING
            elif budget.takes(self.index.files[path].size):
                clean[path] = (self.index.files[path], self.modes[path])
        return {**states, **(self.looker.committed(clean) if clean else {})}


LARGEST_AFTER = 10_000_000
"""Bytes of a changed file that is read, so that it can be told later whether it is still so."""


def stamp(status: os.stat_result) -> _Stamp:
    """Return a value that differs when a file was changed."""
    return (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode)


def _stamp(status: os.stat_result | None) -> _Stamp | None:
    return None if status is None else stamp(status)
