"""Private temporary folders of one process, outside the workspace, removed with it.

Folders of a killed process are removed by the next one. A lock that ends with its process marks the folders in use.
"""

import contextlib
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from planact.adapters.store.disk.lock import FileLock
from planact.base.errors import StorageFailure
from planact.base.own_folders import is_real_folder, temporary_beside
from planact.base.system_path import SYSTEM_PATH

_AS_TMP = 0o1777
_LOCK = ".lock"
_REMOVE_SECONDS = 60
_REMOVE = '[ -L "$1" ] || chmod -R u+rwx -- "$1"; exec rm -rf -- "$1"'


class ProcessFolder:
    """A folder below `parent`, by default the system's temporary folder, made when it is first needed."""

    def __init__(self, prefix: str, parent: Path | None = None) -> None:
        self.parent = Path(os.path.realpath(parent or tempfile.gettempdir()))
        self._prefix = prefix
        self._folder: Path | None = None
        self._lock: FileLock | None = None

    def new(self) -> Path:
        """Make a folder in it that only the user can enter. Raises OSError, StorageFailure."""
        if self._folder is None or not is_real_folder(self._folder):
            self._folder = self._new_folder()
        return Path(tempfile.mkdtemp(dir=self._folder))

    def clear(self) -> None:
        """Remove it with all in it; never raises."""
        if self._folder is not None:
            remove_tree(self._folder)

    def clear_stale(self) -> None:
        """Remove the folders of dead processes; never raises."""
        with contextlib.suppress(OSError):
            for folder in self._left():
                lock = FileLock(folder / _LOCK, str)
                with contextlib.suppress(StorageFailure):
                    if not lock.acquire("clearing"):
                        remove_tree(folder)
                        lock.release()

    def _new_folder(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix=self._prefix, dir=self.parent))
        # Locked under another name first, so that no process takes the folder for stale before it is locked.
        self._lock = FileLock(folder / ".new", str)
        self._lock.acquire("in use")
        (folder / ".new").rename(folder / _LOCK)
        return folder

    def _left(self) -> Iterator[Path]:
        """Return temporary folders with our prefix that this user owns; another user could make a folder of that
        name.
        """
        for folder in self.parent.glob(f"{self._prefix}*"):
            found, lock = folder.lstat(), folder / _LOCK
            is_ours = stat.S_ISDIR(found.st_mode) and (os.name == "nt" or found.st_uid == os.getuid())
            if is_ours and folder != self._folder and stat.S_ISREG(_mode(lock)):
                yield folder


def remove_tree(folder: Path) -> None:
    """Remove a folder that a command may have made hard to remove, without permissions or nested deeper than recursion
    goes; files that can't be removed in time, and folders behind a link, are left to the system's cleaning. Never
    raises.
    """
    if not is_real_folder(folder):
        return
    with contextlib.suppress(OSError, RecursionError):
        shutil.rmtree(folder)
        return
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        null = subprocess.DEVNULL
        argv, variables = ["/bin/sh", "-c", _REMOVE, "sh", str(folder)], {"PATH": SYSTEM_PATH}
        subprocess.run(argv, check=False, stdin=null, stdout=null, stderr=null, env=variables, timeout=_REMOVE_SECONDS)


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


class ShownTexts:
    """Shown texts of one process, in `folder`."""

    def __init__(self, folder: ProcessFolder) -> None:
        self._folder = folder

    def write(self, name: str, text: str) -> Path:
        """Write a read-only file with that name and text; each in a folder of its own, since names can be the same."""
        path = self._folder.new() / name
        path.write_bytes(text.encode("utf-8", "replace"))
        path.chmod(0o400)
        return path


class SessionScratch:
    """`ports.ScratchFolders` of the workspace folder `root`, all of them in `folder`. Beside each is the session's
    `/tmp` of commands on trial.
    """

    def __init__(self, root: Path, folder: ProcessFolder) -> None:
        self._is_possible = not folder.parent.is_relative_to(root)
        self._folder = folder
        self._folders: dict[str, Path] = {}

    def of(self, session_id: str) -> str:
        with contextlib.suppress(OSError, StorageFailure):
            known = self._folders.get(session_id)
            if self._is_possible and not (known and all(map(is_real_folder, (known, temporary_beside(known))))):
                made = self._folder.new()
                temporary_beside(made).mkdir()
                temporary_beside(made).chmod(_AS_TMP)
                self._folders[session_id] = made
        return str(self._folders.get(session_id, ""))

    def remove(self, session_id: str) -> None:
        if found := self._folders.pop(session_id, None):
            remove_tree(found)
            remove_tree(temporary_beside(found))

    def clear(self) -> None:
        """Remove the folders of all sessions."""
        for session_id in [*self._folders]:
            self.remove(session_id)
