"""SHA-256 of files, cached while size, times and identity stay, since plans are checked again for hours.

Any thread may use it.
"""

import hashlib
import time
from pathlib import Path

from planact.adapters.store.disk.atomic import read_regular

_KEPT = 5_000
SETTLED_AFTER = 2.0
"""Seconds. A file may be written twice in one tick of a coarse clock; one that was just written is read each time."""

_Stamp = tuple[int, int, int, int, int]


class Digests:
    """Digests of the files of one workspace folder."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[_Stamp, str]] = {}

    def of(self, path: Path, limit: int) -> str:
        """Return the digest in hex. Raises the errors of `read_regular`."""
        status = path.lstat()
        stamp = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        known = self._known.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        digest = hashlib.sha256(read_regular(path, limit)).hexdigest()
        if max(status.st_mtime, status.st_ctime) < time.time() - SETTLED_AFTER:
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[path] = (stamp, digest)
        return digest
