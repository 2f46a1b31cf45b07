"""Ask a compiled walker which entries of known folders changed since a moment.

It goes by the time at which the kernel last changed an inode (ctime): no program can set it, and every change of
content, mode, name or links does. Where that isn't certain, there is no answer, and all is looked at.
"""

import os
import subprocess
import sys
import time
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from planact.base.portions import portions

SLACK = 2.0
"""Seconds by which a change may seem earlier on disks that cut times to whole seconds."""

FINE_SLACK = 0.1
"""Seconds by which it may on others: a clock that was set back by less than half of that goes unseen."""

_CLOCK_OF_FILES = 5
"""Linux's CLOCK_REALTIME_COARSE, which Python has no name for: the others are ahead of it until the next tick."""

_SECONDS = 60.0
_BYTES_AT_ONCE = 100_000
"""Of a command line; every system takes that."""

_MOST_HEADS = 50

_KEEP_TIMES = frozenset({"btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "xfs"})
"""File systems of this machine's own clock, on which renaming changes the time of what is renamed, too."""

_TELL_CHANGES = _KEEP_TIMES | {"9p", "bcachefs", "jfs", "nfs", "nfs4", "virtiofs", "zfs"}
"""File systems on which no change of a file leaves all its times as they were. On a tmpfs one by mapped memory does,
on those of Windows programs set all times that there are, and others aren't known.
"""

_MOUNTS = Path("/proc/self/mountinfo")


@dataclass(frozen=True, slots=True)
class LookMoment:
    """A moment by the clock that files go by, and by one that can't be set, both in seconds, and the identity of the
    folder that is looked at: another one with older files may take its place.
    """

    wall: float
    steady: float
    folder: tuple[int, int] = (0, 0)


def this_moment(root: Path) -> LookMoment:
    """Return the moment before a look at the folder `root` begins."""
    try:
        status = root.stat()
    except OSError:
        return LookMoment(0.0, 0.0)
    folder = (status.st_dev, status.st_ino)
    if sys.platform != "linux":
        return LookMoment(time.time(), time.monotonic(), folder)
    return LookMoment(time.clock_gettime(_CLOCK_OF_FILES), time.clock_gettime(time.CLOCK_BOOTTIME), folder)


class ChangedSince:
    """The walker for one folder; `find` is the path of that program, or None. Only GNU's on Linux is used."""

    def __init__(self, root: Path, find: str | None) -> None:
        self._root = root
        self._find = find if sys.platform == "linux" else None
        self._is_gnu: bool | None = None

    def among(self, folders: Collection[str], since: LookMoment) -> set[str] | None:
        """Return the `folders` and their direct entries that changed `since`, and some that changed shortly
        before, all relative to the root (empty = itself); None where it can't be told.
        """
        now = this_moment(self._root)
        is_set_back = (now.wall - since.wall) - (now.steady - since.steady) < -FINE_SLACK / 2
        if is_set_back or now.folder != since.folder or not (self._is_usable() and keeps_times(self._root)):
            return None
        found: set[str] = set()
        try:
            named = [os.fsencode(f"./{folder}") for folder in folders]
            for some in portions(named, lambda name: len(name) + 9, _BYTES_AT_ONCE):
                found |= self._ask(some, since.wall)
        except (OSError, ValueError, subprocess.SubprocessError):
            return None
        return found

    def _is_usable(self) -> bool:
        if self._is_gnu is None:
            try:
                self._is_gnu = self._find is not None and self._ask([b"."], 0.0) >= {""}
            except (OSError, ValueError, subprocess.SubprocessError):
                self._is_gnu = False
        return self._is_gnu

    def _ask(self, folders: Sequence[bytes], since: float) -> set[str]:
        """Raises SubprocessError, also where a folder is gone or can't be read, and ValueError by another program."""
        assert self._find is not None
        moment = f"@{since - SLACK:.6f}".encode()
        words = [*folders, b"-maxdepth", b"1", b"-newerct", moment, b"-printf", rb"%C@ %p\0"]
        ran = subprocess.run(
            [self._find, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=self._root,
            env={"LC_ALL": "C", "TZ": "UTC"},
            timeout=_SECONDS,
            check=True,
        )
        if ran.stderr:
            raise subprocess.SubprocessError(ran.stderr)
        told = [line.split(b" ", 1) for line in ran.stdout.split(b"\0")[:-1]]
        return {os.fsdecode(path[2:]) for changed, path in told if _is_since(changed, since - FINE_SLACK)}


def below_changed(paths: Iterable[str], changed: Set[str], folders: Collection[str]) -> Sequence[str] | None:
    """Return the `paths` that changed, or are somewhere below one of the `folders` that did (directly, for the
    root); None where these are many.
    """
    heads = tuple(f"{path}/" for path in changed if path and path in folders)
    if len(heads) > _MOST_HEADS:
        return None
    is_root = "" in changed
    return [path for path in paths if path in changed or path.startswith(heads) or (is_root and "/" not in path)]


def keeps_times(root: Path) -> bool:
    """Return whether all file systems at and below a folder are known to keep the times of changes, also of names."""
    return bool(kinds := _kinds_of_disks(root)) and kinds <= _KEEP_TIMES


def has_reliable_times(root: Path) -> bool:
    """Return whether a file at or below a folder that has the same times as before is known to be as it was. Commands
    are tried on Linux alone.
    """
    return sys.platform != "linux" or (bool(kinds := _kinds_of_disks(root)) and kinds <= _TELL_CHANGES)


def _kinds_of_disks(root: Path) -> Set[str]:
    """Return the file systems at and below a folder; empty where that isn't told."""
    try:
        lines = _MOUNTS.read_bytes().splitlines()
    except OSError:
        return frozenset()
    own, kind_of_own, kinds = b"", "", set()
    path = os.fsencode(root)
    for line in lines:
        before, _, after = line.partition(b" - ")
        place = before.split(b" ")[4].decode("unicode_escape").encode("latin-1")
        kind = after.partition(b" ")[0].decode()
        if place == b"/" or path == place or path.startswith(place + b"/"):
            if len(place) >= len(own):  # of two at one place the later one covers the other
                own, kind_of_own = place, kind
        elif place.startswith(path.rstrip(b"/") + b"/"):
            kinds.add(kind)
    return {kind_of_own, *kinds}


def _is_since(changed: bytes, moment: float) -> bool:
    """Return whether a time, as `find` prints it, may be that of a change since a moment: of one in whole seconds, the
    rest may have been cut off.
    """
    return float(changed) >= moment or not changed.partition(b".")[2].strip(b"0")
