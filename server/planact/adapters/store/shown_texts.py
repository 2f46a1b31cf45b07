"""Texts for editors that show files only: private files outside the workspace, which go with the process.

What a killed process left is removed by the next one. A lock that ends with its process tells which folders those are.
"""

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from planact.adapters.store.lock import FileLock
from planact.base.errors import StorageFailure

_PREFIX = "planact-shown-"
_LOCK = ".lock"


class ShownTexts:
    """Those of one process, in a folder of its own below `parent`."""

    def __init__(self, parent: Path | None = None) -> None:
        self._parent = parent or Path(tempfile.gettempdir())
        self._folder: Path | None = None
        self._lock: FileLock | None = None

    def write(self, name: str, text: str) -> Path:
        """A file with that name and text, only to be read; each in a folder of its own, since names can be the same."""
        if self._folder is None or not self._folder.exists():
            self._folder = self._new_folder()
        path = Path(tempfile.mkdtemp(dir=self._folder)) / name
        path.write_bytes(text.encode("utf-8", "replace"))
        path.chmod(0o400)
        return path

    def clear(self) -> None:
        """Remove them."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def clear_stale(self) -> None:
        """Remove what processes left that are gone; never raises."""
        with contextlib.suppress(OSError):
            for folder in self._left():
                lock = FileLock(folder / _LOCK, str)
                with contextlib.suppress(StorageFailure):
                    if not lock.acquire("clearing"):
                        shutil.rmtree(folder, ignore_errors=True)
                        lock.release()

    def _new_folder(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=self._parent))
        # Locked under another name first: nobody takes a folder for left before it has its lock.
        self._lock = FileLock(folder / ".new", str)
        self._lock.acquire("shown")
        (folder / ".new").rename(folder / _LOCK)
        return folder

    def _left(self) -> Iterator[Path]:
        """Folders of ours and of nobody else's, which anybody could put there under such a name."""
        for folder in self._parent.glob(f"{_PREFIX}*"):
            found, lock = folder.lstat(), folder / _LOCK
            is_ours = stat.S_ISDIR(found.st_mode) and (os.name == "nt" or found.st_uid == os.getuid())
            if is_ours and folder != self._folder and stat.S_ISREG(_mode(lock)):
                yield folder


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError:
        return 0
