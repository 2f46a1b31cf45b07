"""Locks of the operating system on files: they end with the process that holds them, however it ends.

Lock files are never deleted, since a lock on a deleted file excludes no process.
"""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

from planact.base.errors import StorageFailure
from planact.base.private_folder import make_private_folder

if sys.platform == "win32":
    import msvcrt

    # Locked bytes can't be read by others there, so the lock lies far behind the holder's name.
    _LOCKED_BYTE = 1 << 30

    def _take(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


_NAME_LIMIT = 1_000
_LOOK_SECONDS, _PATIENCE = 0.002, 10.0


def open_private(path: Path) -> int:
    """Return a descriptor of `path` for reading and writing; a missing file is made for the user alone, with its
    folder.

    Raises:
        StorageFailure: STORAGE_UNWRITABLE.
    """
    try:
        make_private_folder(path.parent)
        return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise unwritable(path, error.strerror or str(error)) from error


def unwritable(path: Path, cause: str) -> StorageFailure:
    """Return the failure to write planact's own files."""
    return StorageFailure(
        "STORAGE_UNWRITABLE",
        f"planact can't write {path}: {cause}",
        "Free space or correct the permissions; XDG_STATE_HOME names another folder for planact's state",
    )


def busy(path: Path) -> StorageFailure:
    """Return the failure when another process keeps planact's own files locked."""
    return StorageFailure(
        "STORAGE_BUSY",
        f"planact can't use {path}: another process keeps it locked",
        f"End that process (`fuser {path}` tells which it is), then try again; nothing was changed",
    )


@contextlib.contextmanager
def exclusive(path: Path, patience: float) -> Iterator[int]:
    """Hold the lock on `path` and yield its descriptor. For moments only: it blocks, up to so many seconds.

    Raises:
        StorageFailure: STORAGE_UNWRITABLE, STORAGE_BUSY.
    """
    descriptor = open_private(path)
    try:
        until = monotonic() + patience
        while not _take(descriptor):
            if monotonic() > until:
                raise busy(path)
            sleep(_LOOK_SECONDS)
        yield descriptor
    finally:
        os.close(descriptor)


class FileLock:
    """`ports.Lock` on a file whose text names the holder; `redact` takes secrets out of that. A query has to try the
    lock, so a second file keeps other processes out while one queries or takes it.
    """

    def __init__(self, path: Path, redact: Callable[[str], str]) -> None:
        self._path = path
        self._gate = path.with_name(f"{path.name}.gate")
        self._redact = redact
        self._descriptor: int | None = None

    def acquire(self, holder: str) -> str:
        """Take the lock and return an empty string, or return the holder.

        Raises:
            StorageFailure: STORAGE_UNWRITABLE, STORAGE_BUSY.
        """
        if self._descriptor is not None:
            return self._holder(self._descriptor)
        with exclusive(self._gate, _PATIENCE):
            descriptor = open_private(self._path)
            if not _take(descriptor):
                held_by = self._holder(descriptor)
                os.close(descriptor)
                return held_by
            try:
                os.ftruncate(descriptor, 0)
                os.lseek(descriptor, 0, os.SEEK_SET)
                os.write(descriptor, self._redact(holder).encode("utf-8", "replace")[:_NAME_LIMIT])
            except OSError as error:  # without a name, other processes could name no holder
                os.close(descriptor)
                raise unwritable(self._path, error.strerror or str(error)) from error
        self._descriptor = descriptor
        return ""

    def holder(self) -> str:
        """Return the present holder. A name that a killed run left behind is no holder, so the lock itself is tried."""
        if self._descriptor is not None:
            return self._holder(self._descriptor)
        if not self._path.exists() or not self._path.stat().st_size:
            return ""
        with exclusive(self._gate, _PATIENCE):
            descriptor = open_private(self._path)
            try:
                if not _take(descriptor):
                    return self._holder(descriptor)
                os.ftruncate(descriptor, 0)
                return ""
            finally:
                os.close(descriptor)

    def is_own(self) -> bool:
        """True if this process holds the lock."""
        return self._descriptor is not None

    def release(self) -> None:
        """Release the lock; without effect when it isn't held."""
        if self._descriptor is None:
            return
        with contextlib.suppress(OSError):  # a name that stays is no holder
            os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)
        self._descriptor = None

    def _holder(self, descriptor: int) -> str:
        os.lseek(descriptor, 0, os.SEEK_SET)
        return os.read(descriptor, _NAME_LIMIT).decode("utf-8", "replace") or "another run of planact"
