"""Cover all that a command on trial may change, so that it can be put back, and name what it must not change."""

import os
import stat
import subprocess
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePosixPath

from planact.adapters.store.git.changeable import NotCovered, gather_held, of_others, part_changeable
from planact.adapters.store.git.changed_since import LookMoment, this_moment
from planact.adapters.store.git.file_states import Budget, FileStates, Stamp, WatchedPaths, is_new_link, stamp
from planact.adapters.store.git.ignored import GitIgnores, has_repository, ignore_settings
from planact.adapters.store.git.index import changed_entries, inode_of
from planact.adapters.store.git.outputs import is_output
from planact.adapters.store.git.rough_tree import read_rough_tree
from planact.adapters.store.git.tree import TooManyFiles, TrackedFiles, Tree, add_ignored, read_tree, set_own_mode
from planact.adapters.store.git.tree_update import updated_tree
from planact.base.text import path_as_text
from planact.model.runs.touch import NOTHING, OTHER, FileState, Touch

LARGEST = 10_000_000
"""Bytes of a file that a command on trial may change."""

_MOST_HASHED = 1_000_000_000
"""Bytes of one command's new contents that are read."""

_MOST_CLOSED = 20
"""Folders within each other that a command may have closed, so that they are still seen."""

_IGNORE_FILE = ".gitignore"

_Status = os.stat_result | None


@dataclass(frozen=True, slots=True)
class TrialScope:
    """A folder as a command on trial is to find it.

    Attributes:
        is_asked: git was asked which entries are ignored.
        rules: the ignore files by whose rules entries count as ignored, and `ignored` those that did.
        changeable: `stat` of files whose content must be kept beforehand, the smallest first; also of held ones that a
            command may reach by another name.
        held: entries that must not change.
        looked: the moment before the look; None = by another process.
        settings: files beyond the folder that say what git ignores.
        is_as_git_says: the tree has left out what git ignores now, and nothing else.
    """

    tracked: TrackedFiles
    tree: Tree
    is_asked: bool
    rules: Mapping[str, Stamp]
    ignored: Mapping[str, bool]
    changeable: Mapping[str, os.stat_result]
    held: frozenset[str]
    looked: LookMoment | None = None
    settings: Mapping[str, Stamp | None] = field(default_factory=dict)
    is_as_git_says: bool = True


def find_scope(
    states: FileStates,
    tracked: TrackedFiles,
    named: Collection[str],
    since: TrialScope | None,
    last: TrialScope | None,
) -> TrialScope:
    """Look at a folder before a command, without reading a file. `named` = files that the work is about, which may
    change though git ignores them. Where ignore files changed `since`, their new rules hide nothing. With the `last`
    scope only that is looked at which changed after it. Raises NotCovered.
    """
    looked = this_moment(states.files.root)
    try:
        settings = ignore_settings(states.files.root, states.blobs.git)
        with _asking(states, tracked) as (ignored_among, is_asked):
            is_alike = last is not None and (last.settings, last.is_asked) == (settings, is_asked)
            tree = None
            if last is not None and is_alike:
                tree = _updated(states, last, tracked, ignored_among, is_later=False)
            tree = tree or read_tree(states.root, tracked, ignored_among)
        rules = _rules(states, tree, tracked, {**tree.folders, **(since.tree.folders if since is not None else {})})
        ignored: Mapping[str, bool] = tree.ignored
        is_as_git_says = True
        if since is not None and rules != since.rules:
            rules, ignored, is_asked, is_as_git_says = since.rules, since.ignored, False, False
            tree = read_tree(states.root, tracked, _nothing, known=ignored)
        elif since is not None and (
            new := [
                *_no_outputs(states.root, tree.ignored.keys() - since.ignored.keys(), tree, tracked),
                *since.tree.ignored_in_place_of_files(tree),
            ]
        ):
            is_as_git_says = False
            add_ignored(states.root, tree, tracked, None, dict.fromkeys(new))
    except (TooManyFiles, OSError, subprocess.SubprocessError) as error:
        raise NotCovered from error
    if since is not None:
        tree.links |= since.tree.links
        since.tree.former |= tree.without(since.tree)
        gone = {**since.tree.without(tree), **since.tree.former}
        tree.former = {path: is_folder for path, is_folder in gone.items() if not tree.counts(path)}
        tree.former |= dict.fromkeys(since.tree.became_folders(tree), False)
    changeable, held = part_changeable(tree, tracked, named, LARGEST)
    all_held = gather_held(held | of_others(states.root, tree.files), tracked)
    return TrialScope(tracked, tree, is_asked, rules, ignored, changeable, all_held, looked, settings, is_as_git_says)


def check_coverage(states: FileStates, tracked: TrackedFiles) -> None:
    """Raise NotCovered where `find_scope` would, but for tracked files that differ from git: it alone looks at them."""
    try:
        if has_repository(states.files.root):
            states.blobs.git.run(["rev-parse", "--git-dir"], b"")  # git may refuse a folder that another user owns
        with _asking(states, tracked) as (ignored_among, _):
            tree = read_rough_tree(states.root, tracked, ignored_among)
    except (TooManyFiles, OSError, subprocess.SubprocessError) as error:
        raise NotCovered from error
    _, held = part_changeable(tree, tracked, (), LARGEST)
    held |= of_others(states.root, tree.files)
    gather_held(held.union(path for path in tracked.large if states.status(path) is not None), tracked)


def _updated(
    states: FileStates,
    scope: TrialScope,
    tracked: TrackedFiles,
    ignored_among: Callable[[Sequence[str]], Collection[str]],
    *,
    is_later: bool,
) -> Tree | None:
    """Return the tree of a scope as it is now, by a perhaps later index, or None where all has to be looked at."""
    folders = {"", *scope.tree.folders, *scope.tree.hollow}
    if states.changed is None or scope.looked is None:
        return None
    entries = changed_entries(scope.tracked.index, tracked.index)
    changed = None if entries is None else states.changed.among(folders, scope.looked)
    if entries is None or changed is None:
        return None
    changed.update(entries)
    return updated_tree(states.root, scope.tree, tracked, ignored_among, changed, is_later=is_later)


def _rules(states: FileStates, tree: Tree, tracked: TrackedFiles, folders: Collection[str]) -> Mapping[str, Stamp]:
    """Return the ignore files by whose rules something in `folders` counts as ignored."""
    named = _ignore_files(chain(tracked.special, tree.files, tree.ignored), tracked, folders)
    return {path: stamp(status) for path in named if (status := states.status(path)) is not None}


def _ignore_files(paths: Iterable[str], tracked: TrackedFiles, folders: Collection[str]) -> Iterator[str]:
    """Yield the ignore files among `paths`, but for those that programs put into their own output folders: not one of
    the `folders`, in which there was something that isn't ignored.
    """
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name == _IGNORE_FILE and (
            folder in folders or not is_output(path, is_folder=False, sources=tracked.sources)
        ):
            yield path


def _is_closed(status: os.stat_result) -> bool:
    """Return whether it is a file that its owner may not read."""
    return stat.S_ISREG(status.st_mode) and not status.st_mode & stat.S_IRUSR


def with_more_held(scope: TrialScope, more: Collection[str]) -> frozenset[str]:
    """Return the entries that must not change, with more of them. Raises NotCovered where they are too many."""
    return gather_held(scope.held | set(more), scope.tracked) if more else scope.held


@dataclass(frozen=True, slots=True)
class TrialState:
    """`ports.TrialBefore`.

    Attributes:
        watched: the paths that the work is about.
        own: `stat` of those that are there and that the walk doesn't see, as it may miss ignored ones.
        kept: states before of all files but clean ones that git can give back.
        held: entries that must not change.
        unsettled: files whose `stat` may stay as it is with another change: as they were changed just before, or as the
            disk doesn't tell.
        ended: the time (ns) after which others changed what has changed; None = nobody but the command.
    """

    states: FileStates
    scope: TrialScope
    watched: WatchedPaths
    own: Mapping[str, os.stat_result]
    kept: Mapping[str, FileState]
    held: frozenset[str]
    unsettled: frozenset[str]
    ended: int | None = None

    @property
    def unchangeable(self) -> Sequence[str]:
        """The absolute paths that must not change."""
        return [self.states.root + path for path in sorted(self.held)]

    def found(self) -> Sequence[Touch]:
        """Return the changes since, by path; from any thread."""
        after, changed = self._walk_again()
        for _ in range(_MOST_CLOSED):
            if not self._open(after.closed - self.scope.tree.closed):
                break
            after, changed = self._walk_again()
        before = self._states_before(changed)
        budget = Budget(hashed=_MOST_HASHED)
        readable = self._made_readable(changed)
        own = {path: readable[path] for path in changed if path in self.watched.paths}
        listed = {path: readable[path] for path in changed if path not in own}
        now = {**self.states.load(listed, LARGEST, budget, is_listed=True), **self.states.load(own, LARGEST, budget)}
        lost = {path for path in changed if self._is_out_of_sight(path, after) or self._is_later(changed[path])}
        lost |= {path for path in after.closed & changed.keys() if before.get(path, NOTHING) == NOTHING}
        touches = [
            Touch(
                path=path,
                before=before.get(path),
                after=OTHER if path in lost else now[path],
                is_hard_link=is_new_link(changed[path], self._inode_before(path)),
                left=self.states.left(path, readable[path]) if now[path] == OTHER and path not in lost else "",
            )
            for path in sorted(changed)
        ]
        found = [touch for touch in touches if touch.before != touch.after or touch.after == OTHER]
        return [*found, *self._lost(after, changed)]

    def _open(self, closed: Collection[str]) -> bool:
        """Open folders that can't be read any more, for their owner alone; return whether any could be. What is in them
        couldn't be put back else.
        """
        is_any = False
        for path in closed:
            with suppress(OSError):
                mode = os.lstat(self.states.root + path).st_mode
                if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
                    set_own_mode(self.states.root + path, stat.S_IMODE(mode) | stat.S_IRWXU)
                    is_any = True
        return is_any

    def _made_readable(self, changed: Mapping[str, _Status]) -> Mapping[str, _Status]:
        """Let the owner read what changed, and return what is there then: what can't be read couldn't be put back."""
        found = dict(changed)
        for path, status in changed.items():
            if status is not None and _is_closed(status) and not self._is_later(status):
                with suppress(OSError):
                    if not os.access(self.states.root + path, os.R_OK):
                        set_own_mode(self.states.root + path, stat.S_IMODE(status.st_mode) | stat.S_IRUSR)
                    found[path] = self.states.status(path)  # opened by another of its names, perhaps
        return found

    def _walk_again(self) -> tuple[Tree, Mapping[str, _Status]]:
        """Return the tree now, with all that wasn't ignored by the rules of before, and what may have changed."""
        states, scope = self.states, self.scope
        try:
            with _asking(states, scope.tracked, is_asked=scope.is_asked) as (ignored_among, _):
                after = _updated(states, scope, scope.tracked, ignored_among, is_later=True) or read_tree(
                    states.root, scope.tracked, ignored_among, scope.tree
                )
        except (OSError, subprocess.SubprocessError):
            after = read_tree(states.root, scope.tracked, _nothing, scope.tree)
        changed = self._changed(after)
        folders = scope.tree.folders
        rules = {path: changed[path] for path in _ignore_files(changed, scope.tracked, folders)}
        is_changed = rules and self._states_before(rules) != self.states.load(rules, LARGEST, Budget(), is_listed=True)
        is_all = is_changed or any(_ignore_files(after.ignored, scope.tracked, folders))
        if new := list(after.ignored) if is_all else _no_outputs(states.root, after.ignored, after, scope.tracked):
            add_ignored(states.root, after, scope.tracked, scope.tree, new)
            changed = self._changed(after)
        return after, changed

    def _changed(self, after: Tree) -> dict[str, _Status]:
        """Return the paths that may have changed, with what is there now."""
        before = self.scope.tree
        paths = before.clean.keys() - after.clean.keys()
        for path in before.files.keys() | after.files.keys():
            old, new = before.files.get(path), after.files.get(path)
            if old is None or new is None or stamp(old) != stamp(new) or path in self.unsettled:
                paths.add(path)
        now, then = ({**tree.hollow, **tree.folders} for tree in (after, before))
        hollow = after.hollow.keys() - then.keys()  # a later command may leave them empty
        sources = self.scope.tracked.sources
        hollow -= {path for path in hollow if is_output(path, is_folder=True, sources=sources)}
        counted = before.folders.keys() | after.folders.keys() | hollow
        paths |= {path for path in counted if now.get(path) != then.get(path)}
        changed = {path: self._status(path, after) for path in paths}
        for path, status in {**dict.fromkeys(self.own), **self.states.there(self.watched)}.items():
            if path not in changed and self._is_changed(path, status):
                changed[path] = status
        return changed

    def _is_changed(self, path: str, now: _Status) -> bool:
        """Return whether a watched path may have changed unseen by the walk."""
        before = self.own.get(path)
        if before is None:
            tree = self.scope.tree
            return not (path in tree.files or path in tree.clean or path in tree.folders)
        return now is None or stamp(before) != stamp(now) or path in self.unsettled

    def _status(self, path: str, after: Tree) -> _Status:
        """Return the `stat` of a path, without following a link that took the place of a folder."""
        if path in after.files:
            return after.files[path]
        is_there = any(path in some for some in (after.clean, after.folders, after.hollow))
        return self.states.status(path) if is_there else None

    def _inode_before(self, path: str) -> int | None:
        tree = self.scope.tree
        if then := tree.files.get(path) or self.own.get(path):
            return then.st_ino
        return inode_of(self.scope.tracked.index.files[path]) if path in tree.clean else None

    def _states_before(self, changed: Iterable[str]) -> Mapping[str, FileState]:
        """Return the states of before; of clean files, from git."""
        tree, index = self.scope.tree, self.scope.tracked.index
        clean = {
            path: (index.files[path], tree.clean[path])
            for path in changed
            if path in tree.clean and path not in self.kept and path not in self.scope.tracked.large
        }
        found: dict[str, FileState] = {}
        with suppress(OSError, subprocess.SubprocessError, ValueError, IndexError):  # they are told, and not covered
            found |= self.states.restorable(clean)
        for path in changed:
            if path in self.kept:
                found[path] = self.kept[path]
            elif path in tree.folders or path in tree.hollow:
                mode = tree.folders.get(path, tree.hollow.get(path))
                found[path] = FileState(kind="directory", mode=mode)
            elif path not in tree.clean:
                found[path] = OTHER if path in tree.files else NOTHING
        return found

    def _is_out_of_sight(self, path: str, after: Tree) -> bool:
        """Return whether a folder above can't be read any more, so that the path may be there."""
        return bool(after.closed) and any(str(above) in after.closed for above in PurePosixPath(path).parents)

    def _is_later(self, status: _Status) -> bool:
        return self.ended is not None and status is not None and status.st_ctime_ns > self.ended

    def _lost(self, after: Tree, changed: Collection[str]) -> Iterator[Touch]:
        """Yield the changes that no undo can put back: names that are no text, and protected entries that moved."""
        for path in sorted(after.closed - self.scope.tree.closed):
            if path_as_text(path) != path:
                yield Touch(path=path_as_text(path), before=None, after=OTHER)
        for path in sorted(self.held.difference(changed)):
            if self.states.status(path) is None:
                yield Touch(path=path_as_text(path), before=None, after=NOTHING)


@contextmanager
def _asking(
    states: FileStates, tracked: TrackedFiles, *, is_asked: bool = True
) -> Iterator[tuple[Callable[[Sequence[str]], Collection[str]], bool]]:
    """Return a function that finds ignored paths, and whether it asks git: not without a repository, nor where that of
    a folder above ignores the whole of this one.
    """
    if not is_asked or not has_repository(states.files.root):
        yield _nothing, False
        return
    has_tracked = bool(tracked.index.files or tracked.index.others)
    with closing(GitIgnores(states.blobs.git)) as rules:
        if not has_tracked and rules.among(["."]):
            yield _nothing, False
        else:
            yield rules.among, True


def _nothing(_: Sequence[str]) -> Collection[str]:
    return ()


def _no_outputs(root: str, paths: Iterable[str], tree: Tree, tracked: TrackedFiles) -> list[str]:
    """Return the ignored entries of a tree that are no build outputs: programs may load them by their names, or what is
    written to them goes elsewhere.
    """
    ignored, sources = tree.ignored, tracked.sources
    return [
        path
        for path in paths
        if not is_output(path, is_folder=ignored[path], sources=sources)
        or not (ignored[path] or _is_plain_file(root + path))
    ]


def _is_plain_file(path: str) -> bool:
    """Return whether it is a file with one name, or gone."""
    try:
        status = os.lstat(path)
    except OSError:
        return True
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 1
