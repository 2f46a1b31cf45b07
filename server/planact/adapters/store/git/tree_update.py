"""Make the tree of a folder anew from an earlier one, by looking again only at what changed meanwhile."""

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain

from planact.adapters.store.git.folder_entries import listed, seen_entry
from planact.adapters.store.git.tree import OUR_FOLDER, New, TrackedFiles, Tree, Walk

_MOST_GONE = 50
"""Folders that are gone or others now; with more, a walk of everything is simpler."""


def updated_tree(
    root: str,
    old: Tree,
    tracked: TrackedFiles,
    ignored_among: Callable[[Sequence[str]], Collection[str]],
    changed: Collection[str],
    *,
    is_later: bool,
) -> Tree | None:
    """Return the tree of `read_tree`, with `old` as its earlier tree where it `is_later`, or None where that has to be
    called. `changed` are the folders of `old` that changed since, and their changed entries. Raises as `read_tree`.
    """
    seen = {path for path in changed if not (path == OUR_FOLDER or (path == ".git" and old.has_git))}
    if old.is_cut or any(path.rpartition("/")[2].startswith(".git") for path in seen):
        return None
    if not (is_later or seen.isdisjoint(old.closed)):
        return None
    try:
        return _Update(root, old, tracked, ignored_among, seen, is_later=is_later).tree()
    except (_UnclearError, OSError):
        return None


class _UnclearError(Exception):
    """Only a walk can tell."""


def _check_rules_stay(gone: str) -> None:
    """Raise _UnclearError where an ignore file or attributes are gone: others may count as ignored now."""
    if gone.rpartition("/")[2].startswith(".git"):
        raise _UnclearError


class _Update:
    def __init__(
        self,
        root: str,
        old: Tree,
        tracked: TrackedFiles,
        ignored_among: Callable[[Sequence[str]], Collection[str]],
        changed: Set[str],
        *,
        is_later: bool,
    ) -> None:
        self._root = root
        self._old = old
        self._changed = changed
        new = Tree(
            clean=dict(old.clean),
            files=dict(old.files),
            folders={**old.folders, **old.hollow},
            shared=dict(old.shared),
            links={path for path in old.links if path in old.files},
            has_git=old.has_git,
        )
        if not is_later:
            new.ignored, new.closed = dict(old.ignored), set(old.closed)
        self._new = new
        self._walk = Walk(root, tracked, ignored_among, old if is_later else None, new)

    def tree(self) -> Tree:
        new, walk = self._new, self._walk
        folders = {path for path in self._changed if not path or path in new.folders}
        # A folder that changed together with the one above may be another one that took its place.
        others = {path for path in folders if path and path.rpartition("/")[0] in folders}
        names = {path: self._names(path) for path in folders - others}
        paths = chain(new.clean, new.files, new.folders, self._old.ignored, self._old.closed)
        known = _names_by_folder(paths if names else (), names)
        gone = others | self._missing(names, known)
        self._forget_below(gone)
        changed = _names_by_folder(self._changed, names)
        below: list[tuple[str, str]] = []
        found: list[New] = []
        for folder, there in names.items():
            if any(folder.startswith(f"{path}/") for path in gone):
                continue
            self._note_mode(folder)
            base = f"{folder}/" if folder else ""
            picked = (there - known[folder]) | (there & changed[folder])
            entries = [seen_entry(self._root + base, name) for name in picked]
            for name in picked:
                self._forget(base + name)
            found += walk.see_all(base, entries, self._top(folder), below)
        for path in self._changed - folders:
            folder, _, name = path.rpartition("/")
            if folder in folders or not (path in new.clean or path in new.files):
                continue
            self._forget(path)
            base = f"{folder}/" if folder else ""
            found += walk.see_all(base, [seen_entry(self._root + base, name)], self._top(folder), below)
        self._count({*(path for path, _ in below), *(each.path for each in found)})
        walk.enter([*below, *walk.sort(found)])
        return walk.finish()

    def _names(self, folder: str) -> Set[str]:
        with listed(self._root + folder) as entries:
            return {entry.name for entry in (entries if folder else self._walk.of_root(entries))}

    def _missing(self, there: Mapping[str, Set[str]], known: Mapping[str, Set[str]]) -> set[str]:
        """Forget the entries that folders don't have any more, and return the folders among them."""
        gone = [f"{folder}/{name}" if folder else name for folder in there for name in known[folder] - there[folder]]
        missing = {path for path in gone if path in self._new.folders}
        for path in gone:
            self._forget(path)
        return missing

    def _forget_below(self, folders: Collection[str]) -> None:
        if len(folders) > _MOST_GONE:
            raise _UnclearError
        if not folders:
            return
        heads = tuple(f"{path}/" for path in folders)
        new = self._new
        for some in (new.clean, new.files, new.folders, new.ignored, new.closed, new.shared, new.links):
            for path in [path for path in some if path.startswith(heads)]:
                _check_rules_stay(path)
                some.pop(path, None) if isinstance(some, dict) else some.discard(path)
        for path in folders:
            self._forget(path)

    def _forget(self, path: str) -> None:
        _check_rules_stay(path)
        new = self._new
        for some in (new.clean, new.files, new.folders, new.ignored, new.shared):
            some.pop(path, None)
        new.closed.discard(path)
        new.links.discard(path)

    def _note_mode(self, folder: str) -> None:
        if folder:
            status = os.lstat(self._root + folder)
            if not stat.S_ISDIR(status.st_mode):
                raise _UnclearError
            self._new.folders[folder] = stat.S_IMODE(status.st_mode)

    def _top(self, folder: str) -> str:
        """Return the topmost untracked folder, of `folder` and those above."""
        tracked = self._walk.tracked.folders
        if folder in tracked:
            return ""
        parts = folder.split("/")
        ways = ("/".join(parts[:count]) for count in range(1, len(parts) + 1))
        return next((way for way in ways if way and way not in tracked), "")

    def _count(self, entered: Set[str]) -> None:
        """Count the untracked entries that stay, as a walk does. It counts those below folders that are `entered`."""
        walk, new, tracked = self._walk, self._new, self._walk.tracked
        index = tracked.index
        for path in chain(new.files, new.folders):
            if path in index.files or path in index.others or path in tracked.folders:
                continue
            if entered and not entered.isdisjoint(_above(path)):
                continue
            walk.total += 1
            top = self._top(path if path in new.folders else path.rpartition("/")[0])
            if top and (index.files or index.others):
                walk.counts[top] += 1


def _above(path: str) -> Iterator[str]:
    """Yield the folders above a path."""
    while above := path.rpartition("/")[0]:
        yield above
        path = above


def _names_by_folder(paths: Iterable[str], folders: Collection[str]) -> Mapping[str, Set[str]]:
    """Return the names of those paths that are directly in one of the folders."""
    names: dict[str, set[str]] = {folder: set() for folder in folders}
    for path in paths:
        folder, _, name = path.rpartition("/")
        if folder in names:
            names[folder].add(name)
    return names
