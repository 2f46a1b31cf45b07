"""Files that commands in Act can write, by the jail, but must not change unnoticed: code and settings that git and
planact run or believe without asking. A snapshot before each command is compared after it, and can be restored.

Folders that planact's server writes meanwhile are left out; no file in them gives rights.
"""

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from planact.adapters.sandbox.limits.profiles import git_folders
from planact.adapters.sandbox.limits.scratch import open_tree, opened, remove_folder

_GIT = ("commondir", "config", "config.worktree", "hooks", "info/attributes")
_NOT_RIGHTS = ("archive", "plans", "sessions", "executions", ".gitignore")
_LARGEST_KEPT = 1_000_000
_LISTED = os.R_OK | os.X_OK


@dataclass(frozen=True, slots=True)
class Picture:
    """One entry: its mode, and the bytes of a file or the target of a link; for a file too large to keep and a folder
    that can't be listed, its time of change.
    """

    mode: int
    data: bytes = b""
    stamp: tuple[int, int, int] | None = None


class ProtectedFolders:
    """`ports.ProtectedFiles` of one workspace folder."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = Path(os.path.realpath(workspace))

    def snapshot(self) -> "ProtectedSnapshot":
        """Take a snapshot, also of folders of the repository that lie elsewhere."""
        folders = (self._workspace / ".planact", self._workspace / ".git", *git_folders(self._workspace))
        return ProtectedSnapshot(self._workspace, folders, dict(_pictures(folders)))


@dataclass(frozen=True, slots=True)
class ProtectedSnapshot:
    """`ports.Protected`: the protected entries at one moment, by absolute path."""

    workspace: Path
    folders: tuple[Path, ...]
    entries: Mapping[Path, Picture]

    def changed(self) -> Mapping[str, bytes]:
        """Return the changed entries, with their present bytes as far as those are kept."""
        now = dict(_pictures(self.folders))
        return {self._shown(path): now[path].data if path in now else b"" for path in self._changed(now)}

    def put_back(self) -> Sequence[str]:
        """Restore the snapshot. Return the paths that can't be restored: too large to keep, in a folder that was
        replaced or couldn't be read, or refused by the system. These stay as they are: an entry goes only once the one
        of before is whole beside it, since the disk may be full and this process may be killed.
        """
        self._open_closed()
        now = dict(_pictures(self.folders))
        paths = [path for path in self._changed(now) if self._is_kept(path)]
        staying = {path for path in paths if _is_directory(now.get(path)) and _is_directory(self.entries.get(path))}
        above = sorted({str(path.parent) for path in paths if _is_in_place(path)})
        with opened(above):
            for path in reversed(paths):  # entries before their folder; they make room for the others
                if path not in self.entries and _is_in_place(path):
                    with contextlib.suppress(OSError):
                        _remove(path)
            for path in paths:
                if path in self.entries and path not in staying and _is_in_place(path):
                    with contextlib.suppress(OSError):
                        _restore(path, self.entries[path])
        for path in reversed(paths):  # without its mode, nothing could be made in a folder
            if _is_directory(self.entries.get(path)) and _is_folder(path) and _is_in_place(path):
                with contextlib.suppress(OSError):
                    path.chmod(stat.S_IMODE(self.entries[path].mode))
        return [self._shown(path) for path in self._changed(dict(_pictures(self.folders)))]

    def _open_closed(self) -> None:
        """Open the folders that a command closed: what is in them runs all the same, by its name."""
        for folder in self.folders:
            if _is_folder(folder) and not os.access(folder, _LISTED):
                with contextlib.suppress(OSError):
                    folder.chmod(stat.S_IMODE(folder.stat().st_mode) | stat.S_IRWXU)
        for path, picture in dict(_pictures(self.folders)).items():
            if _is_directory(picture) and picture.stamp is not None and picture != self.entries.get(path):
                open_tree(str(path))

    def _is_kept(self, path: Path) -> bool:
        before = self.entries.get(path)
        if before is not None:
            return before.stamp is None and before.mode != 0
        return all(each.stamp is None for above in path.parents if (each := self.entries.get(above)))

    def _changed(self, now: Mapping[Path, Picture]) -> Sequence[Path]:
        """Return the entries that changed, sorted: new, gone or different."""
        before = self.entries
        return sorted(path for path in now.keys() | before.keys() if now.get(path) != before.get(path))

    def _shown(self, path: Path) -> str:
        return path.relative_to(self.workspace).as_posix() if path.is_relative_to(self.workspace) else str(path)


def _pictures(folders: Sequence[Path]) -> Iterator[tuple[Path, Picture]]:
    for folder in folders:
        if not _is_folder(folder):
            yield from _picture(folder)
        elif folder.name == ".planact":
            for path in _entries(folder):
                if path.name not in _NOT_RIGHTS:
                    yield from _tree(path)
        else:
            yield from _git(folder)


def _git(folder: Path) -> Iterator[tuple[Path, Picture]]:
    for name in _GIT:
        yield from _tree(folder / name)
    yield from _modules(folder / "modules")


def _modules(folder: Path) -> Iterator[tuple[Path, Picture]]:
    """Return the folders of submodules, whose names may have slashes: a folder that is no repository may contain
    some.
    """
    if _is_folder(folder):
        for module in _entries(folder):
            if _is_folder(module):
                yield from _git(module)
                if not os.path.exists(module / "HEAD"):
                    yield from _modules(module)


def _tree(path: Path) -> Iterator[tuple[Path, Picture]]:
    yield from _picture(path)
    if _is_folder(path):
        for inner in _entries(path):
            yield from _tree(inner)


def _picture(path: Path) -> Iterator[tuple[Path, Picture]]:
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            yield path, Picture(found.st_mode, os.fsencode(path.readlink()))
        elif stat.S_ISREG(found.st_mode) and found.st_size <= _LARGEST_KEPT:
            yield path, Picture(found.st_mode, path.read_bytes())
        elif stat.S_ISDIR(found.st_mode) and os.access(path, _LISTED):
            yield path, Picture(found.st_mode)
        else:
            yield path, Picture(found.st_mode, stamp=(found.st_ino, found.st_size, found.st_ctime_ns))
    except FileNotFoundError:
        return
    except OSError:
        yield path, Picture(0)


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _entries(folder: Path) -> Sequence[Path]:
    try:
        return [*folder.iterdir()]
    except OSError:
        return ()


def _is_directory(picture: Picture | None) -> bool:
    return picture is not None and stat.S_ISDIR(picture.mode)


def _is_in_place(path: Path) -> bool:
    """Return True if no link was put into the path. The folder of a workspace has none itself."""
    return os.path.realpath(path.parent) == str(path.parent)


def _remove(path: Path) -> None:
    if _is_folder(path):
        remove_folder(path)
    else:
        path.unlink()


def _restore(path: Path, before: Picture) -> None:
    """Put an entry in the place of what is there; the mode of a folder is set when all is in it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISDIR(before.mode):
        path.unlink(missing_ok=True)
        path.mkdir()
        return
    beside = path.with_name(f".planact-{secrets.token_hex(8)}.tmp")
    try:
        if stat.S_ISLNK(before.mode):
            beside.symlink_to(os.fsdecode(before.data))
        else:
            with beside.open("xb") as file:
                file.write(before.data)
                file.flush()
                os.fsync(file.fileno())
            beside.chmod(stat.S_IMODE(before.mode))
        if _is_folder(path):
            remove_folder(path)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
