"""Folders of a command's own, for its temporary files and instead of the user's home, removed with all files in them.

A command may have made its files hard to remove: without permissions, or nested deeper than recursion goes.
"""

import asyncio
import contextlib
import functools
import os
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from time import monotonic

from planact.base.own_folders import is_real_folder
from planact.base.system_path import SYSTEM_PATH
from planact.model.rights.jail import JailProfile

PYTEST_CACHE = "pytest"
_REMOVE_SECONDS = 60
_REMOVE = '[ -L "$1" ] || chmod -R u+rwx -- "$1"; exec rm -rf -- "$1"'


class Scratch:
    """Further folders that a command of a profile may write. They last until `remove`, but for the folder of its
    `session`, if it has one.

    A command without network gets that folder for its temporary files, one with network a folder of its own: a command
    with network must not read files that another command wrote. Its own files are moved to the session's folder at the
    end. An approved command gets a folder for caches alone.
    """

    def __init__(self, profile: JailProfile, session: str = "", command: str = "") -> None:
        session = session if session and is_real_folder(Path(session)) else ""
        is_alone = not profile.can_tell
        # Beside the session's they are on the same disk, and leftovers of a killed process are removed with it.
        beside = Path(session).parent if session else None
        self._session = Path(session) if session and profile.name != "act" else None
        self._made: list[Path] = []
        self._own = [_new_folder(beside)] if profile.has_own_home or not (self._session and is_alone) else []
        if self._session and is_alone:
            temporary = self._session
        elif self._session and profile.has_own_home:
            self._own.append(temporary := _new_folder(beside))
        else:
            temporary = self._own[0]
        self.own: tuple[Path, ...] = tuple(self._own)
        self._moved = temporary if self._session and not is_alone else None
        self.folders: tuple[Path, ...] = tuple(dict.fromkeys((*self._own, temporary)))
        names = () if profile.name == "act" else ("TMPDIR", "TMP", "TEMP")
        self.variables: dict[str, str] = dict.fromkeys(names, str(temporary))
        if profile.has_own_home:
            self.variables["HOME"] = str(self._own[0])
            # Links cost time, and known readers look at no other home than one that the line names.
            if profile.name in ("contain", "trial") or "~" in command or "HOME" in command:
                self._link(profile.links)
        for name, text in profile.caches:
            self.variables[name] = text.replace("$TMPDIR", str(temporary))
        if profile.caches and self._session:
            # pytest would make it with rights that nothing may set there, and only makes it if it isn't there.
            with contextlib.suppress(OSError):
                (temporary / PYTEST_CACHE).mkdir()

    def _link(self, links: Sequence[tuple[str, PurePath]]) -> None:
        """Link from the empty home to the readable paths of the user's."""
        for name, target in links:
            for above in reversed(PurePath(name).parents[:-1]):
                folder = self._own[0] / above
                if folder not in self._made:
                    folder.mkdir()
                    self._made.append(folder)
            self._made.append(self._own[0] / name)
            self._made[-1].symlink_to(target)

    async def remove(self) -> None:
        """Remove its own folders with all files in them; files that can't be removed in time are left to the system's
        cleaning.
        """
        if self._moved and self._session:
            _move(self._moved, self._session)
        with contextlib.suppress(OSError):
            for path in reversed(self._made):
                path.unlink() if path.is_symlink() else path.rmdir()
        for folder in self._own:
            try:
                folder.rmdir()
            except OSError:
                await self._remove_all(folder)

    async def _remove_all(self, folder: Path) -> None:
        with contextlib.suppress(OSError):
            removing, until = _start_to_remove(folder), monotonic() + _REMOVE_SECONDS
            while removing.poll() is None:
                if monotonic() > until:
                    removing.kill()
                await asyncio.sleep(0.002)


def remove_folder(folder: Path) -> None:
    """Remove a folder with all files in it, or a link alone; what can't be removed in time is left. Never raises."""
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        removing = _start_to_remove(folder)
        try:
            removing.wait(_REMOVE_SECONDS)
        finally:
            removing.kill()


@contextlib.contextmanager
def opened(folders: Sequence[str]) -> Iterator[None]:
    """Give the owner all rights in folders, the outermost first, and those of before afterwards. Never raises."""
    modes = {folder: mode for folder in folders if (mode := _open_to_owner(folder)) is not None}
    try:
        yield
    finally:
        for folder, mode in modes.items():
            with contextlib.suppress(OSError):
                os.chmod(folder, mode)  # noqa: PTH101 - a plain text at hand


def open_tree(top: str) -> None:
    """Give the owner all rights in a folder and in all below it, so that what is there can be found and removed. Never
    raises.
    """
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        _open_to_owner(folder)
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            waiting += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]


def _open_to_owner(folder: str) -> int | None:
    """Return the permission bits of a folder that had to be opened."""
    with contextlib.suppress(OSError):
        mode = os.lstat(folder).st_mode
        if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
            os.chmod(folder, stat.S_IMODE(mode) | stat.S_IRWXU)  # noqa: PTH101
            return stat.S_IMODE(mode)
    return None


def _new_folder(parent: Path | None) -> Path:
    return Path(tempfile.mkdtemp(prefix="planact-", dir=parent or _real_temporary_folder()))


@functools.cache
def _real_temporary_folder() -> str:
    return os.path.realpath(tempfile.gettempdir())


def _move(source: Path, target: Path) -> None:
    """Move the files of one folder to another of the same disk; a file there that can't be replaced stays, and all of
    them where a link took the place of a folder.
    """
    with contextlib.suppress(OSError), _opened(source) as here, _opened(target) as there:
        for name in os.listdir(here):  # noqa: PTH208 - by its handle
            with contextlib.suppress(OSError):
                os.replace(name, name, src_dir_fd=here, dst_dir_fd=there)


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int]:
    """Open a folder that has no link in its path. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if not (is_real_folder(folder) and os.path.samestat(os.fstat(handle), os.lstat(folder))):
            raise NotADirectoryError(folder)
        yield handle
    finally:
        os.close(handle)


def _start_to_remove(folder: Path) -> subprocess.Popen[bytes]:
    null = subprocess.DEVNULL
    argv = ["/bin/sh", "-c", _REMOVE, "sh", str(folder)]
    return subprocess.Popen(argv, stdin=null, stdout=null, stderr=null, env={"PATH": SYSTEM_PATH})
