"""Walk a workspace folder for all that a command on trial may change: tracked files, and those that git doesn't ignore.

Ignored entries, repositories within the folder and dependencies are named and not entered.
"""

import os
import stat
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePosixPath

from planact.adapters.store.git.folder_entries import listed
from planact.adapters.store.git.index import Index, is_clean, larger_ones
from planact.model.rights.guarded import DEPENDENCY_FOLDERS

MOST_UNTRACKED = 20_000
"""Entries that git neither tracks nor ignores; with more, a folder isn't covered."""

MOST_IN_FOLDER = 2_000
"""Such entries below one folder without tracked files, in a repository that has some: a larger one holds data."""

OUR_FOLDER = ".planact"

_ALL_OF_OWNER = 0o700


class TooManyFiles(Exception):
    """There are more than `MOST_UNTRACKED`."""


@dataclass(slots=True)
class Tree:
    """The entries of a folder, by path relative to it.

    Attributes:
        clean: modes of tracked files that are as in git: one number for all files that have it.
        files: all others that are no folders, also links and pipes.
        folders: those with such files, and empty ones, with their permission bits.
        hollow: folders with nothing but ignored entries.
        ignored: the outermost ignored entries; True for folders.
        closed: repositories, dependencies, large folders, and what can't be read or has a name that is no text.
        shared: clean files with several names (hard links).
        links: links that count though they are ignored, also of commands before.
        former: what commands before removed, True for folders: what comes in its place counts, also if it is ignored;
            also files in whose place they put folders.
        has_git: the folder is the top of a repository.
        is_cut: untracked folders were closed since they hold too much.
    """

    clean: dict[str, int] = field(default_factory=dict)
    files: dict[str, os.stat_result] = field(default_factory=dict)
    folders: dict[str, int] = field(default_factory=dict)
    hollow: dict[str, int] = field(default_factory=dict)
    ignored: dict[str, bool] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)
    shared: dict[str, os.stat_result] = field(default_factory=dict)
    links: set[str] = field(default_factory=set)
    former: dict[str, bool] = field(default_factory=dict)
    has_git: bool = False
    is_cut: bool = False

    def without(self, other: "Tree") -> dict[str, bool]:
        """Return the paths that count here and not in another tree, True for folders."""
        files = (self.files.keys() - other.files.keys()) | (self.clean.keys() - other.clean.keys())
        folders = (self.folders.keys() - other.folders.keys()) | (self.hollow.keys() - other.hollow.keys())
        return {path: path in folders for path in files | folders if not other.counts(path)}

    def became_folders(self, later: "Tree") -> set[str]:
        """Return the folders of a later tree in whose place there is or was a file."""
        return {
            path
            for path in chain(later.folders, later.hollow)
            if path in self.files or path in self.clean or self.former.get(path) is False
        }

    def ignored_in_place_of_files(self, later: "Tree") -> list[str]:
        """Return the ignored entries of a later tree in whose place no undo could put the files back."""
        folders = self.became_folders(later)
        return [
            path for path in later.ignored if folders and not folders.isdisjoint(map(str, PurePosixPath(path).parents))
        ]

    def counts(self, path: str) -> bool:
        return any(path in some for some in (self.files, self.folders, self.hollow, self.clean))


@dataclass(frozen=True, slots=True)
class TrackedFiles:
    """An index with what is asked of it for each command.

    Attributes:
        folders: those with tracked files at any depth.
        sources: those of them with more than files that keep the folder, as `.gitkeep` does.
        special: the tracked files whose names begin with `.git`: ignore files and attributes.
        large: the tracked files above a size.
    """

    index: Index
    folders: frozenset[str]
    sources: frozenset[str]
    special: frozenset[str]
    large: frozenset[str]


def tracked_files(index: Index, largest: int) -> TrackedFiles:
    """Return an index with the sets that each look at the folder needs; `largest` in bytes."""
    paths = [*index.files, *index.others]
    dotted = [path for path in paths if "/." in path or path[:1] == "."]
    hidden = {path for path in dotted if path.rpartition("/")[2].startswith(".")}
    special = frozenset(path for path in hidden if path.rpartition("/")[2].startswith(".git"))
    sources = _above([path for path in paths if path not in hidden])
    return TrackedFiles(index, sources | _above(hidden), sources, special, larger_ones(index.files, largest))


def _above(paths: Iterable[str]) -> frozenset[str]:
    """Return all folders above paths, without the root."""
    found: set[str] = set()
    for folder in {path.rpartition("/")[0] for path in paths}:
        above = folder
        while above and above not in found:
            found.add(above)
            above = above.rpartition("/")[0]
    return frozenset(found)


def read_tree(
    root: str,
    tracked: TrackedFiles,
    ignored_among: Callable[[Sequence[str]], Collection[str]],
    earlier: Tree | None = None,
    known: Mapping[str, bool] | None = None,
) -> Tree:
    """Return the tree of the folder `root` (which ends with a separator). With an `earlier` one, what was ignored or
    closed then isn't entered, and everything else is, however much there is. `known` entries are ignored in any case.

    Raises:
        TooManyFiles: never with an `earlier` tree.
        OSError: by `ignored_among`.
    """
    walking = Walk(root, tracked, ignored_among, earlier, known=known or {})
    walking.enter([("", "")])
    return walking.finish()


def add_ignored(root: str, tree: Tree, tracked: TrackedFiles, earlier: Tree | None, paths: Collection[str]) -> None:
    """Add to a tree those of its ignored entries that count after all, with all that is in them. Raises TooManyFiles
    without an `earlier` tree.
    """
    tree.folders |= tree.hollow
    tree.hollow = {}
    walking = Walk(root, tracked, lambda _: (), earlier, tree)
    walking.enter(list(walking.add_entries(paths)))
    walking.finish()


@dataclass(slots=True)
class New:
    """An entry that git doesn't track, below the untracked folder `top` if any, or a folder itself."""

    path: str
    top: str
    status: os.stat_result


@dataclass(slots=True)
class Walk:
    """A walk that adds what it sees to `tree`."""

    root: str
    tracked: TrackedFiles
    ignored_among: Callable[[Sequence[str]], Collection[str]]
    earlier: Tree | None
    tree: Tree = field(default_factory=Tree)
    modes: dict[int, int] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    total: int = 0
    known: Mapping[str, bool] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)  # folders in place of files: to go, they must be empty

    def enter(self, level: list[tuple[str, str]]) -> None:
        """Add what is below folders, each with the topmost untracked folder above it."""
        while level:
            below: list[tuple[str, str]] = []
            new = [
                each for folder, top in level if top not in self.tree.closed for each in self._read(folder, top, below)
            ]
            level = [*below, *self.sort(new)]

    def add_entries(self, paths: Collection[str]) -> Iterator[tuple[str, str]]:
        """Add entries, and return the folders among them, to be entered."""
        for path in paths:
            with suppress(OSError):
                status = os.lstat(self.root + path)
                del self.tree.ignored[path]
                yield from self._add(New(path, "", status))

    def finish(self) -> Tree:
        """Return the tree, without what is in folders that turned out too large, and with hollow folders apart."""
        tree = self.tree
        large = [top for top in self.counts if top in tree.closed]
        tree.is_cut |= bool(large)
        for some in (tree.files, tree.folders, tree.ignored) if large else ():
            for path in [path for path in some if any(path.startswith(f"{top}/") or path == top for top in large)]:
                del some[path]
        self._part_hollow()
        return tree

    def _read(self, folder: str, top: str, below: list[tuple[str, str]]) -> Sequence[New]:
        """Add the tracked and the known entries of a folder, and return the others."""
        try:
            self._open_new(folder)
            with self.listed(folder) as entries:
                if not folder:
                    return self.see_all("", self.of_root(entries), top, below)
                if self.earlier is not None or ".git" not in [entry.name for entry in entries]:
                    return self.see_all(f"{folder}/", entries, top, below)
        except OSError:
            if not folder:
                raise
        self.close(folder)
        return ()

    def listed(self, folder: str) -> "AbstractContextManager[list[os.DirEntry[str]]]":
        return listed(self.root + folder)

    def _open_new(self, folder: str) -> None:
        """Let a new folder be listed: programs can run what lies in it under a name that they know."""
        mode = self.tree.folders.get(folder, _ALL_OF_OWNER)
        if self.earlier is not None and ~mode & _ALL_OF_OWNER and not self.earlier.counts(folder):
            set_own_mode(self.root + folder, mode | _ALL_OF_OWNER)
            self.tree.folders[folder] = mode | _ALL_OF_OWNER

    def see_all(
        self, base: str, entries: Sequence["os.DirEntry[str]"], top: str, below: list[tuple[str, str]]
    ) -> Sequence[New]:
        files, written, clean, modes = self.tracked.index.files, self.tracked.index.written, self.tree.clean, self.modes
        found: list[New] = []
        for entry in entries:
            path = base + entry.name
            tracked = files.get(path)
            try:
                if tracked is not None and path.isascii():  # nearly all of a large repository
                    status = entry.stat(follow_symlinks=False)
                    if is_clean(tracked, status, written) and status.st_nlink == 1:
                        clean[path] = modes.setdefault(status.st_mode, status.st_mode)
                        continue
                new = self._see(entry, path, top, below)
            except OSError:  # it is gone meanwhile, or the names in a folder are all that can be read
                if not os.access(self.root + base, os.X_OK):
                    raise
                continue
            if new is not None:
                found.append(new)
        return found

    def close(self, folder: str) -> None:
        self.tree.closed.add(folder)
        if self.earlier is None:
            self.tree.folders.pop(folder, None)

    def of_root(self, entries: Sequence["os.DirEntry[str]"]) -> list["os.DirEntry[str]"]:
        names = {OUR_FOLDER}
        self.tree.has_git = any(entry.name == ".git" for entry in entries)
        if self.earlier is None or self.earlier.has_git:
            names.add(".git")
        return [entry for entry in entries if entry.name not in names]

    def _see(self, entry: "os.DirEntry[str]", path: str, top: str, below: list[tuple[str, str]]) -> New | None:
        tree, earlier, index = self.tree, self.earlier, self.tracked.index
        if earlier is not None and (path in earlier.closed or _is_still(entry, path, earlier.ignored)):
            return None
        if _is_still(entry, path, self.known):
            tree.ignored[path] = self.known[path]
            return None
        if not (path.isascii() or _is_text(path)):
            tree.closed.add(path)
            return None
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode):
            return self._see_folder(New(path, top, status), below)
        tracked = index.files.get(path)
        if tracked is not None and is_clean(tracked, status, index.written):
            tree.clean[path] = self.modes.setdefault(status.st_mode, status.st_mode)
            if status.st_nlink > 1:
                tree.shared[path] = status
        elif tracked is not None or path in index.others or self._was_there(path):
            tree.files[path] = status
        else:
            return New(path, top, status)
        return None

    def _see_folder(self, each: New, below: list[tuple[str, str]]) -> New | None:
        path, earlier = each.path, self.earlier
        if earlier is None and path.rpartition("/")[2].casefold() in DEPENDENCY_FOLDERS:
            self.tree.closed.add(path)
            return None
        if path not in self.tracked.folders and not self._was_there(path):
            return each
        self.tree.folders[path] = stat.S_IMODE(each.status.st_mode)
        below.append((path, each.top))
        if earlier is not None and (
            any(path in some for some in (earlier.files, earlier.clean, earlier.links))
            or earlier.former.get(path) is False
        ):
            self.whole.add(path)
        return None

    def _was_there(self, path: str) -> bool:
        tree = self.earlier
        return tree is not None and (tree.counts(path) or path in tree.links or path in tree.former)

    def _is_in_whole(self, path: str) -> bool:
        return bool(self.whole) and any(str(above) in self.whole for above in PurePosixPath(path).parents)

    def sort(self, new: Sequence[New]) -> Iterator[tuple[str, str]]:
        """Add new entries that aren't ignored, and return the folders among them. A link that was there before counts
        even where it is ignored, since a jail can't hold it in its place.
        """
        ignored = self.ignored_among([each.path for each in new]) if new else ()
        for each in new:
            is_link = self.earlier is None and stat.S_ISLNK(each.status.st_mode)
            if each.path in ignored and not is_link and not self._is_in_whole(each.path):
                self.tree.ignored[each.path] = stat.S_ISDIR(each.status.st_mode)
                continue
            if is_link:
                self.tree.links.add(each.path)
            yield from self._add(each)

    def _add(self, each: New) -> Iterator[tuple[str, str]]:
        is_folder = stat.S_ISDIR(each.status.st_mode)
        top = each.top or (each.path if is_folder else "")
        if self.earlier is None and not self._fits(top):
            return
        if is_folder:
            self.tree.folders[each.path] = stat.S_IMODE(each.status.st_mode)
            yield each.path, top
        else:
            self.tree.files[each.path] = each.status

    def _fits(self, top: str) -> bool:
        """Count an entry; return False if the untracked folder `top` has too many of them."""
        if top and (self.tracked.index.files or self.tracked.index.others):
            self.counts[top] += 1
            if self.counts[top] > MOST_IN_FOLDER:
                self.total -= 0 if top in self.tree.closed else MOST_IN_FOLDER
                self.tree.closed.add(top)
                return False
        self.total += 1
        if self.total > MOST_UNTRACKED:
            raise TooManyFiles
        return True

    def _part_hollow(self) -> None:
        tree = self.tree
        waiting = {path.rpartition("/")[0] for path in tree.ignored} - self.tracked.folders - {""}
        if not waiting:
            return
        counts = Counter(path.rpartition("/")[0] for some in (tree.files, tree.folders, tree.closed) for path in some)
        for path in sorted(waiting, key=lambda path: -path.count("/")):
            while path in tree.folders and not counts[path] and path not in self.tracked.folders:
                tree.hollow[path] = tree.folders.pop(path)
                path = path.rpartition("/")[0]
                counts[path] -= 1


def set_own_mode(path: str, mode: int) -> None:
    """Set the mode of a file or a folder on Linux, and not of what a link leads to. Raises OSError."""
    assert sys.platform == "linux", "commands are tried there alone"
    handle = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        opened = f"/proc/self/fd/{handle}"
        if os.readlink(opened) != path or stat.S_ISLNK(os.fstat(handle).st_mode):  # noqa: PTH115 (or one above is a link)
            raise NotADirectoryError(path)
        os.chmod(opened, mode)  # noqa: PTH101 (text is at hand)
    finally:
        os.close(handle)


def _is_still(entry: "os.DirEntry[str]", path: str, ignored: Mapping[str, bool]) -> bool:
    """Return whether an entry is the ignored folder or file that it was: rules for folders say nothing of files."""
    return path in ignored and not entry.is_symlink() and entry.is_dir() == ignored[path]


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
