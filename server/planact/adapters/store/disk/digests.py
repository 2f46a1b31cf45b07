"""SHA-256 of files, cached while size, times and identity stay, since plans are checked again for hours.

Any thread may use it.
"""

import hashlib
import os
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from planact.adapters.store.disk.atomic import read_regular

_KEPT = 5_000
SETTLED_AFTER = 2.0
"""Seconds. A file may be written twice in one tick of a coarse clock; one that was just written is read each time."""

_Stamp = tuple[int, ...]


class Digests:
    """Digests of the files of one workspace folder."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[_Stamp, str]] = {}

    def of(self, path: Path, limit: int) -> str:
        """Return the digest in hex. Raises the errors of `read_regular`."""
        status = path.lstat()
        stamp = _stamp(status)
        known = self._known.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        digest = hashlib.sha256(read_regular(path, limit)).hexdigest()
        if _is_settled(status):
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[path] = (stamp, digest)
        return digest


def file_stamp(path: str | Path, *, is_settled: bool = False) -> _Stamp:
    """Return a value that differs when a file was changed; empty for a missing one, and, where it has to be settled,
    for one that was just written.
    """
    try:
        status = os.stat(path)  # noqa: PTH116 (text may be at hand)
    except (OSError, ValueError):
        return ()
    return () if is_settled and not _is_settled(status) else _stamp(status)


def identity_of(status: os.stat_result) -> str:
    """Return `Files.identity` of a file; empty for anything else."""
    if not stat.S_ISREG(status.st_mode):
        return ""
    return " ".join(map(str, (status.st_ctime_ns, *_lasting(status))))


def _lasting(status: os.stat_result) -> _Stamp:
    """Return what stays of a file when another name of it is removed."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_mode)


def remove_identical(files: Mapping[Path, str]) -> None:
    """Remove the files that have these identities still. Never raises."""
    there: dict[Path, _Stamp] = {}
    for path, identity in files.items():
        with suppress(OSError):
            status = path.lstat()
            there |= {path: _lasting(status)} if identity and identity_of(status) == identity else {}
    for path, lasting in there.items():
        with suppress(OSError):
            if _lasting(path.lstat()) == lasting:
                path.unlink()


def _stamp(status: os.stat_result) -> _Stamp:
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _is_settled(status: os.stat_result) -> bool:
    return max(status.st_mtime, status.st_ctime) < time.time() - SETTLED_AFTER
