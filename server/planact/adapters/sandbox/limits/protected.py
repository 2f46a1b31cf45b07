"""Files that commands in Act can write, by the jail, but must not change unnoticed: code and settings that git and
planact run or believe without asking. A snapshot before each command is compared after it, and can be restored.

Folders that planact's server writes meanwhile are left out; no file in them gives rights.
"""

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from planact.adapters.sandbox.limits.profiles import git_folders

_GIT = ("commondir", "config", "config.worktree", "hooks", "info/attributes")
_NOT_RIGHTS = ("archive", "plans", "sessions", "executions", ".gitignore")
_LARGEST_KEPT = 1_000_000


@dataclass(frozen=True, slots=True)
class Picture:
    """One entry: its mode, and the bytes of a file or the target of a link; for a file too large to keep, its time of
    change.
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
        replaced, or refused by the system.
        """
        paths = self._changed(dict(_pictures(self.folders)))
        kept = [path for path in paths if _is_kept(self.entries.get(path))]
        for path in reversed(kept):  # entries before their folder
            with contextlib.suppress(OSError):
                if _is_in_place(path):
                    _remove(path)
        for path in kept:
            with contextlib.suppress(OSError):
                if path in self.entries and _is_in_place(path):
                    _restore(path, self.entries[path])
        still = {*self._changed(dict(_pictures(self.folders)))}
        return [self._shown(path) for path in paths if path in still]

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
            for path in folder.iterdir():
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
        for module in folder.iterdir():
            if _is_folder(module):
                yield from _git(module)
                if not os.path.exists(module / "HEAD"):
                    yield from _modules(module)


def _tree(path: Path) -> Iterator[tuple[Path, Picture]]:
    yield from _picture(path)
    if _is_folder(path):
        for inner in path.iterdir():
            yield from _tree(inner)


def _picture(path: Path) -> Iterator[tuple[Path, Picture]]:
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            yield path, Picture(found.st_mode, os.fsencode(path.readlink()))
        elif stat.S_ISREG(found.st_mode) and found.st_size <= _LARGEST_KEPT:
            yield path, Picture(found.st_mode, path.read_bytes())
        elif stat.S_ISDIR(found.st_mode):
            yield path, Picture(found.st_mode)
        else:
            yield path, Picture(found.st_mode, stamp=(found.st_ino, found.st_size, found.st_ctime_ns))
    except FileNotFoundError:
        return
    except OSError:
        yield path, Picture(0)


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _is_kept(before: Picture | None) -> bool:
    return before is None or (before.stamp is None and before.mode != 0)


def _is_in_place(path: Path) -> bool:
    """Return True if no link was put into the path. The folder of a workspace has none itself."""
    return os.path.realpath(path.parent) == str(path.parent)


def _remove(path: Path) -> None:
    if _is_folder(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink()


def _restore(path: Path, before: Picture) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISDIR(before.mode):
        path.mkdir()
    elif stat.S_ISLNK(before.mode):
        path.symlink_to(os.fsdecode(before.data))
        return
    else:
        with path.open("xb") as file:
            file.write(before.data)
    path.chmod(stat.S_IMODE(before.mode))
