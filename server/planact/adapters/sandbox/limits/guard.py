"""Keep what programs load by themselves in a workspace as it is, while a command on trial writes beside it.

What is there is mounted for reading alone, links are put back. What isn't there can't be mounted over, so it is taken
away right after the command; but for what shells and editors act on at once: an empty folder holds its place meanwhile.
"""

import contextlib
import errno
import os
import shutil
import stat
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

from planact.adapters.sandbox.devices import modes_of_devices, put_modes_back
from planact.adapters.sandbox.limits.find_credentials import CredentialFinder, CredentialPaths, coarse
from planact.adapters.sandbox.limits.run_at_once import RunAtOnce, run_at_once
from planact.adapters.sandbox.limits.scratch import open_tree, opened, remove_folder
from planact.base.text import path_as_text
from planact.model.rights.guarded import ACTS_AT_ONCE, DEPENDENCY_FOLDERS, ENVIRONMENT_MARKS

MOST_MOUNTS = 250
"""bubblewrap takes longer for each mount the more there are; with more of them, whole folders can't be written."""

_TOOL_CACHES = (".cache", ".vite", ".vite-temp")

_MOST_COPIED, _MOST_ENTRIES_COPIED = 10_000_000, 1_000
"""Bytes and entries of what is set aside on another disk: a command may have made more of it than fits there."""

_SAVED = ("root", "modes", "before", "links", "bytecode", "loose", "absent", "absent_files", "closed")

_State = tuple[int, ...]

_placed: Counter[str] = Counter()
_placing = threading.Lock()


class Guard:
    """The guarded entries of the folder `root`, as they were `found` just before. `searched` is the folder around it
    that `finder` knows. Nothing below `unchangeable` changes either. Reads the disk, and makes the folders that hold
    places, also those in which tools of Node keep files for the command that starts in `directory`.
    """

    def __init__(
        self,
        root: PurePath,
        searched: PurePath,
        finder: CredentialFinder,
        found: CredentialPaths,
        directory: PurePath,
        unchangeable: Sequence[str] = (),
    ) -> None:
        self._root = str(root)
        self._modes = {**modes_of_devices(), self._root: stat.S_IMODE(_state(self._root)[0])}
        self._searched = searched
        self._finder = finder
        # What a mount doesn't hold by its name: it is told by its number.
        self._loose: dict[str, _State] = {}
        self.places: list[str] = []
        self.packages: tuple[str, ...] = ()
        try:
            at_once = run_at_once(self._root, found)
            self._absent, self._absent_files = sorted(at_once.absent), sorted(at_once.absent_files)
            self._place_folders(at_once.places)
            self._before = {
                path: _state(path) for path in (*self._inside((*found.guarded, *at_once.named)), *self.places)
            }
            self._links = {path: _target(path) for path, state in self._before.items() if stat.S_ISLNK(state[0])}
            self._bytecode = {path: _state(path) for path in self._compiled(found)}
            self._closed = {path: _state(path) for path in self._inside(found.closed)}
            self.fixed, self.held = self._mounts(unchangeable, at_once)
            self.empty = self._make_caches(f"{directory}/node_modules")
        except BaseException:
            self._give_up_places()
            raise

    def as_data(self) -> dict[str, Any]:
        """Return the state before the command as values that JSON has."""
        return {name: getattr(self, f"_{name}") for name in _SAVED} | {"places": self.places}

    @classmethod
    def of_data(cls, data: Mapping[str, Any], searched: PurePath, finder: CredentialFinder) -> "Guard":
        """Return the guard of another process, which can only put back. Raises KeyError, TypeError."""
        guard = cls.__new__(cls)
        states = {
            name: {path: tuple(state) for path, state in data[name].items()}
            for name in ("before", "bytecode", "loose", "closed")
        }
        known = {
            "root": data["root"],
            "modes": data["modes"],
            "links": data["links"],
            "absent": data["absent"],
            "absent_files": data["absent_files"],
            **states,
            "searched": searched,
            "finder": finder,
        }
        for name, value in known.items():
            setattr(guard, f"_{name}", value)
        put_modes_back(data["modes"])
        guard.places = []
        for path in data["places"]:
            with contextlib.suppress(OSError):
                os.rmdir(path)  # noqa: PTH106
        return guard

    def put_back(self, aside: Path | None, until: int | None = None) -> tuple[str, ...]:
        """Make the guarded entries what they were, and return the new ones, by path below the folder. They are moved to
        folders in `aside`, since the user may have made one meanwhile; dependencies, and without it all, are removed.
        What changed after `until` (ns) is others' and stays. `packages` are those of the new ones that hold packages.
        """
        # The folder is no entry of itself, and without its bits nobody may look into it.
        put_modes_back(self._modes)
        self._give_up_places()
        found = self._find_also_closed(until)
        made = [*self._absent, *(path for path in self._absent_files if os.path.islink(path) or os.path.isfile(path))]
        entries = [*self._inside(found.guarded), *filter(os.path.lexists, made)]
        new = [path for path in _outermost(entries) if self._is_new(path)]
        new = [path for path in new if until is None or _state(path)[-1] <= until]
        packages = {path for path in new if _is_dependency(path) or _is_environment(path)}
        self.packages = self._named(path for path in new if path in packages)
        for path in new:
            with opened(self._all_above(path)):
                _take_away(path, None if path in packages else aside)
        for path in self._links:
            if until is None or _state(path)[-1] <= until:
                with opened(self._all_above(path)):
                    self._put_link_back(path, aside)
        for path in self._compiled(found):
            # It is only a cache, which would run with the rights of a later command.
            if _state(path) != self._bytecode.get(path):
                with opened(self._all_above(path)), contextlib.suppress(OSError):
                    os.unlink(path)  # noqa: PTH108
        return self._named(new)

    def _find_also_closed(self, until: int | None) -> CredentialPaths:
        """Return what there is, also in folders that the command closed: they are opened, since programs find what lies
        there by its name, and the user may open them later.
        """
        found = self._finder.find((self._searched,))
        closed = [path for path in self._inside(found.closed) if _state(path) != self._closed.get(path)]
        closed = [path for path in closed if until is None or _state(path)[-1] <= until]
        for path in closed:
            open_tree(path)
        return self._finder.find((self._searched,)) if closed else found

    def _named(self, paths: Iterable[str]) -> tuple[str, ...]:
        return tuple(path_as_text(path[len(self._root) + 1 :]) for path in paths)

    def _put_link_back(self, path: str, aside: Path | None) -> None:
        # A link in the place of a folder would lead out of the workspace.
        for above in self._all_above(path):
            if _target(above):
                _take_away(above, aside)
        if _target(path) != self._links[path]:
            _take_away(path, aside)
            with contextlib.suppress(OSError):
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                Path(path).symlink_to(self._links[path])
                os.utime(path, ns=(self._before[path][4],) * 2, follow_symlinks=False)

    def _is_new(self, path: str) -> bool:
        before, now = self._before.get(path), _state(path)
        if before is None:
            return now[1:3] not in self._loose.values()  # else it moved with a folder above it
        return path in self._loose and before[1:3] != now[1:3]

    def _mounts(self, unchangeable: Sequence[str], at_once: RunAtOnce) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if self._root in at_once.whole:
            return (self._root,), ()
        targets = {os.path.realpath(path) for path in self._links}
        paths = {path for path in self._before if path not in self._links} | targets
        own = {path for path in map(os.path.realpath, unchangeable) if f"{path}/".startswith(f"{self._root}/")}
        inner = {path for folder in at_once.modules for path in _folders_in(folder)}
        modules = {path for path in inner if os.path.basename(path) in sys.stdlib_module_names}  # noqa: PTH119
        named = {path for path in (*self._inside(paths), *at_once.whole, *modules, *own) if os.path.lexists(path)}
        closed = coarse(named, MOST_MOUNTS)
        fixed, still = closed | at_once.modules, {*closed, *at_once.modules, *self._links}
        held = {*self._folders_above(still), *inner}
        if len(fixed) + len(held) > MOST_MOUNTS:
            loose = [path for path in still if _is_dependency(path)]
            self._loose |= {path: _state(path)[1:3] for path in loose}
            held = {*self._folders_above(still.difference(loose)), *inner}
        if len(fixed) + len(held) > MOST_MOUNTS:
            fixed, held = coarse({*fixed, *held}, MOST_MOUNTS), set()
        # What is held can be written, so nothing in a closed folder may be.
        heads = tuple(f"{path}/" for path in closed)
        return tuple(fixed), tuple(path for path in held - fixed if not path.startswith(heads))

    def _folders_above(self, paths: Iterable[str]) -> Iterator[str]:
        for path in paths:
            above = os.path.dirname(path)  # noqa: PTH120
            while len(above) > len(self._root):
                yield above
                above = os.path.dirname(above)  # noqa: PTH120

    def _all_above(self, path: str) -> list[str]:
        """Return the folders above a path, the outermost first."""
        return sorted(self._folders_above([path]), key=len)

    def _inside(self, paths: Iterable[str]) -> list[str]:
        return [path for path in paths if path.startswith(f"{self._root}/")]

    def _compiled(self, found: CredentialPaths) -> Iterator[str]:
        for folder in self._inside(found.bytecode):
            if not any(above in self._before for above in self._folders_above([folder])):
                with contextlib.suppress(OSError), os.scandir(folder) as entries:
                    yield from (entry.path for entry in entries)

    def _place_folders(self, more: Iterable[str]) -> None:
        for path in (*(f"{self._root}/{name}" for name in ACTS_AT_ONCE), *more):
            self._place_folder(path)
            with contextlib.suppress(OSError):
                if not os.listdir(path):  # noqa: PTH208 - another planact's, perhaps, which may remove it meanwhile
                    self._loose[path] = _state(path)[1:3]

    def _make_caches(self, near: str) -> tuple[str, ...]:
        """Return folders that tools make in the folders of dependencies which are nearest."""
        found = []
        for folder in {f"{self._root}/node_modules", near}:
            if folder in self._before and folder not in self._links:
                for path in (f"{folder}/{name}" for name in _TOOL_CACHES):
                    self._place_folder(path)
                    found += [path] if stat.S_ISDIR(_state(path)[0]) else []
        return tuple(found)

    def _place_folder(self, path: str) -> None:
        with _placing, contextlib.suppress(OSError):
            if path not in _placed:
                os.mkdir(path)  # noqa: PTH102
            _placed[path] += 1
            self.places.append(path)

    def _give_up_places(self) -> None:
        for path in self.places:
            with _placing:
                _placed[path] -= 1
                if not _placed[path]:
                    del _placed[path]
                    with contextlib.suppress(OSError):  # with files in it, it is the user's by now
                        os.rmdir(path)  # noqa: PTH106
        self.places = []


def _is_dependency(path: str) -> bool:
    return not DEPENDENCY_FOLDERS.isdisjoint(path.split("/"))


def _is_environment(path: str) -> bool:
    return any(os.path.lexists(f"{path}/{name}") for name in ENVIRONMENT_MARKS)


def _folders_in(folder: str) -> Iterator[str]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        yield from (entry.path for entry in entries if entry.is_dir(follow_symlinks=False))


def _target(path: str) -> str:
    try:
        return os.readlink(path)  # noqa: PTH115 - a plain text at hand
    except OSError:
        return ""


def _state(path: str) -> _State:
    try:
        found = os.lstat(path)
    except OSError:
        return (0,)
    return found.st_mode, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _outermost(paths: Iterable[str]) -> Iterator[str]:
    last = ""
    for path in sorted(paths, key=lambda path: path.split("/")):
        if not last or not path.startswith(f"{last}/"):
            last = path
            yield path


def _take_away(path: str, aside: Path | None) -> None:
    if not os.path.lexists(path):
        return
    if aside is not None:
        with contextlib.suppress(OSError, shutil.Error):
            _set_aside(path, Path(tempfile.mkdtemp(prefix="removed-", dir=aside)))
    if os.path.isdir(path) and not os.path.islink(path):
        remove_folder(Path(path))
    else:
        with contextlib.suppress(OSError):
            os.unlink(path)  # noqa: PTH108


def _set_aside(path: str, folder: Path) -> None:
    """Move an entry into a folder, to another disk only where little is in it. Raises OSError, shutil.Error."""
    try:
        os.rename(path, folder / os.path.basename(path))  # noqa: PTH104, PTH119 - a plain text at hand
    except OSError as error:
        if error.errno == errno.EXDEV and _is_small(path):
            shutil.move(path, folder)


def _is_small(path: str) -> bool:
    size = entries = 0
    waiting = [path]
    while waiting:
        found = os.lstat(at := waiting.pop())
        entries += 1
        size += found.st_size if stat.S_ISREG(found.st_mode) else 0
        if size > _MOST_COPIED or entries > _MOST_ENTRIES_COPIED:
            return False
        if stat.S_ISDIR(found.st_mode):
            with os.scandir(at) as inner:
                waiting += [entry.path for entry in islice(inner, _MOST_ENTRIES_COPIED)]
    return True
