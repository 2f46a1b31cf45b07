"""Find the changes of a command, by comparing the files before it and after it.

The comparison is cheap: `stat` of tracked files and of the files that the work is about. Beforehand only content that
git couldn't give back is read: the files that the work is about, and tracked files that differ from git, up to a limit.
"""

import logging
import os
import subprocess
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path, PurePosixPath

from planact.adapters.store.disk.atomic import put
from planact.adapters.store.git.blobs import GitBlobs
from planact.adapters.store.git.changeable import NotCovered
from planact.adapters.store.git.changed_since import (
    ChangedSince,
    LookMoment,
    below_changed,
    has_reliable_times,
    this_moment,
)
from planact.adapters.store.git.file_states import Budget, FileStates, WatchedPaths, is_new_link, stamp
from planact.adapters.store.git.index import (
    NO_INDEX,
    Index,
    Tracked,
    changed_entries,
    index_file,
    inode_of,
    is_clean,
    read_index,
    size_of,
)
from planact.adapters.store.git.saved_trial import saved_state, saved_text
from planact.adapters.store.git.tree import MOST_UNTRACKED, TrackedFiles, Tree, tracked_files
from planact.adapters.store.git.trial import (
    LARGEST,
    TrialScope,
    TrialState,
    check_coverage,
    find_scope,
    with_more_held,
)
from planact.base.errors import CommandFailure, StorageFailure
from planact.model.rights.files_beside import with_files_beside
from planact.model.runs.touch import NOTHING, OTHER, FileState, Touch
from planact.ports import Files, TrialBefore

MAX_BEFORE_IMAGE_BYTES = 1_000_000
"""Bytes of a tracked file that is kept beforehand because git couldn't give it back."""

MOST_TRACKED = 600_000
"""Files; a larger repository isn't looked at, but for what the work is about."""

FEW_TRACKED = 1_000
"""Files; to look at each of so few takes less than to start a program that tells which of them changed."""

COVERED_FOR, ANSWER_FOR = 600.0, 60.0
"""Seconds for which it holds that a folder can be covered, and that it can't. Where it can't be after all, the trial
fails, and nothing runs.
"""


log = logging.getLogger(__name__)


class FileFootprints:
    """`ports.Footprints` of one workspace folder.

    Args:
        files: the folder.
        keep: keeps bytes, for `KNOWN_FOR` at least and as long as they are named; returns their SHA-256, in order.
        blobs: git's contents of it.
        largest: bytes of a file that the work is about.
        now: the time in seconds.
        saved_at: the file in which the state before a command on trial is saved.
        changed: tells what changed in folders; None = all of it has to be looked at each time.
    """

    def __init__(
        self,
        files: Files,
        keep: Callable[[Sequence[bytes]], Sequence[str]],
        blobs: GitBlobs,
        largest: int,
        now: Callable[[], float] = time.time,
        saved_at: Path | None = None,
        changed: ChangedSince | None = None,
    ) -> None:
        self._root = files.root
        self._saved_at = saved_at
        self._states = FileStates(files, keep, blobs, now, changed)
        self._last: TrialScope | None = None
        self._clean: TrackedStates | None = None
        self._largest = largest
        self._now = now
        self._index: tuple[tuple[int, ...], Index] = ((), NO_INDEX)
        self._tracked_files = self._never_clean = tracked_files(NO_INDEX, LARGEST)
        self._named = WatchedPaths.of(())
        self._lost: tuple[Index, object, frozenset[str]] = (NO_INDEX, None, frozenset())
        self._covers: tuple[float, bool] = (0.0, False)
        self._was_refused = False

    def snapshot(self, named: Collection[str]) -> "EarlierState":
        states, index = self._states, self._tracked()
        looked = this_moment(self._root)
        known = self._clean
        paths = None if known is None else known.changed_since(index)
        modes, differing = ({}, {}) if known is None or paths is None else (dict(known.modes), dict(known.differing))
        same: dict[int, int] = {}  # one number for all files that have it: there may be many
        for path in index.files if paths is None else paths:
            now = states.status(path)
            modes.pop(path, None)
            differing.pop(path, None)
            if now is not None and is_clean(index.files[path], now, index.written):
                modes[path] = same.setdefault(now.st_mode, now.st_mode)
            else:
                differing[path] = now
        self._clean = TrackedStates(states, index, looked, self._tracked_files.folders, modes, differing)
        watched = self._watch(named)
        there = states.there(watched)
        budget = Budget()
        kept = states.load(there, self._largest, budget)
        unknown = {path: now for path, now in differing.items() if now is not None and path not in kept}
        kept |= states.load(unknown, MAX_BEFORE_IMAGE_BYTES, budget)
        return EarlierState(self._clean, watched, {**differing, **there}, kept)

    def can_try(self) -> bool:
        since, covers = self._covers
        if not 0 <= self._now() - since < (COVERED_FOR if covers else ANSWER_FOR):
            try:
                tracked = self._current_files()
                if self._was_refused or not self._states.trusts_times:  # perhaps for what only a whole look finds
                    self._scope(())
                else:
                    check_coverage(self._states, tracked)
                covers = True
            except NotCovered:
                covers = False
            self._covers = (self._now(), covers)
        return covers

    def trial(self, named: Collection[str], since: TrialBefore | None = None) -> TrialState:
        try:
            return self._begin(named, since.scope if isinstance(since, TrialState) else None)
        except NotCovered as error:
            self._covers, self._was_refused = (self._now(), False), True
            message = "what the command changes couldn't be undone here: too many files, or git tells too little"
            hint = "Run it without a trial, or have git ignore large folders."
            if refusal := self.refusal():
                message = (
                    "what the command changes couldn't be undone here: git refuses a folder that another user owns"
                )
                hint = f"Run it without a trial; the user may let git work here: {refusal}"
            raise CommandFailure("COMMAND_FAILED_TO_START", message, hint) from error

    def refusal(self) -> str:
        return self._states.blobs.git.refusal()

    def save(self, before: TrialBefore, about: str) -> None:
        assert isinstance(before, TrialState)
        if self._saved_at is None:
            return
        try:
            put(self._saved_at, saved_text(before, about).encode(), 0o600)
        except OSError as error:
            message = f"the state of the files before the command couldn't be written down: {error}"
            raise StorageFailure("STORAGE_UNWRITABLE", message, f"Make room for {self._saved_at.parent}.") from error

    def saved(self, ended: int | None) -> tuple[str, TrialState] | None:
        if self._saved_at is None:
            return None
        try:
            return saved_state(self._saved_at.read_text("utf-8"), self._states, self._current_files(), ended)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            log.exception("the state before a command can't be read")
            return None

    def forget(self) -> None:
        if self._saved_at is not None:
            with suppress(OSError):
                self._saved_at.unlink(missing_ok=True)

    def _begin(self, named: Collection[str], since: TrialScope | None) -> TrialState:
        states, watched = self._states, self._watch(with_files_beside(named))
        scope = self._scope(watched.paths, since)
        tree = scope.tree
        beyond = (self._unrestorable(tree) - scope.tracked.large) & tree.clean.keys()
        wanted = {**scope.changeable, **{path: states.status(path) for path in sorted(beyond)}}
        kept = states.load(wanted, LARGEST, Budget(files=MOST_UNTRACKED, counts_known=True), is_listed=True)
        unseen = {
            path: status
            for path, status in states.there(watched).items()
            if path not in kept and path not in tree.clean and path not in tree.folders
        }
        kept |= states.load(unseen, min(self._largest, LARGEST), Budget())
        held = with_more_held(scope, {path for path, state in kept.items() if state == OTHER})
        self._covers, self._was_refused = (self._now(), True), False
        looked_at = {**unseen, **scope.changeable}
        unsettled = frozenset(
            path for path, status in looked_at.items() if kept[path] != OTHER and not states.is_settled(status)
        )
        return TrialState(states, scope, watched, unseen, kept, held, unsettled)

    def _scope(self, named: Collection[str], since: TrialScope | None = None) -> TrialScope:
        scope = find_scope(self._states, self._current_files(), named, since, self._last)
        self._last = scope if scope.is_as_git_says else None
        return scope

    def _current_files(self) -> TrackedFiles:
        """Return the tracked files for a look that must miss nothing: where times don't tell changes, none is clean."""
        index = self._tracked()
        self._states.trusts_times = has_reliable_times(self._root)
        if self._states.trusts_times:
            return self._tracked_files
        if self._never_clean.index.files is not index.files:
            self._never_clean = tracked_files(replace(index, written=0), LARGEST)
        return self._never_clean

    def _unrestorable(self, tree: Tree) -> frozenset[str]:
        """Return the tracked files that git can't give back though they are clean. Raises NotCovered."""
        index, special = self._tracked_files.index, self._tracked_files.special
        named = {path for path in chain(special, tree.files) if path.endswith(".gitattributes")}
        attributes = {path: stamp(status) for path in named if (status := self._states.status(path)) is not None}
        if self._lost[0] is not index or self._lost[1] != attributes:
            try:
                lost = self._states.blobs.lost(index.files, lambda: self._seen_index() == self._index[0])
            except (OSError, subprocess.SubprocessError, ValueError) as error:
                raise NotCovered from error
            self._lost = (index, attributes, lost)
        return self._lost[2]

    def _watch(self, named: Collection[str]) -> WatchedPaths:
        """Return the paths that the work is about, and the missing folders above them."""
        if self._named.paths != named:
            self._named = WatchedPaths.of(named)
        folders = {*self._named.by_folder, *(path.rpartition("/")[0] for path in self._named.others)}
        return self._named.and_also(frozenset(self._folders_to_come(folders)) - self._named.paths)

    def _folders_to_come(self, folders: Iterable[str]) -> Iterator[str]:
        """Return the missing ones, with those above them."""
        for folder in folders:
            for above in (PurePosixPath(folder), *PurePosixPath(folder).parents):
                if self._states.status(str(above)) is not None:
                    break
                yield str(above)

    def _tracked(self) -> Index:
        seen = self._seen_index()
        if self._index[0] != seen:
            found = index_file(self._root)
            index = NO_INDEX if found is None else read_index(*found)
            self._index = (seen, index if len(index.files) <= MOST_TRACKED else NO_INDEX)
            self._tracked_files = tracked_files(self._index[1], LARGEST)
        return self._index[1]

    def _seen_index(self) -> tuple[int, ...]:
        found = index_file(self._root)
        return () if found is None else stamp(found[0].stat())


@dataclass(frozen=True, slots=True)
class TrackedStates:
    """The tracked files at a moment: `modes` of clean ones, which are many, and `stat` of `differing` ones.

    Attributes:
        folders: those with tracked files at any depth.
    """

    states: FileStates
    index: Index
    looked: LookMoment
    folders: Collection[str]
    modes: Mapping[str, int]
    differing: Mapping[str, os.stat_result | None]

    def changed_since(self, index: Index) -> Sequence[str] | None:
        """Return the files that may have changed, or of which a later `index` says something else; None where it can't
        be told or isn't worth asking.
        """
        entries = changed_entries(self.index, index)
        if self.states.changed is None or entries is None or len(index.files) < FEW_TRACKED:
            return None
        changed = self.states.changed.among({"", *self.folders}, self.looked)
        found = None if changed is None else below_changed(self.index.files, changed, self.folders)
        return None if found is None else [*found, *entries]


@dataclass(frozen=True, slots=True)
class EarlierState:
    """`ports.Before`: the earlier state, as far as git doesn't know it.

    Attributes:
        statuses: of tracked files that differ from git, and of the watched ones that are there.
    """

    tracked: TrackedStates
    watched: WatchedPaths
    statuses: Mapping[str, os.stat_result | None]
    kept: Mapping[str, FileState]

    def found(self) -> Sequence[Touch]:
        tracked = self.tracked
        paths = tracked.changed_since(tracked.index)
        there = tracked.states.there(self.watched)
        looked = chain(tracked.index.files if paths is None else paths, self.statuses)
        found = {**there, **{path: tracked.states.status(path) for path in looked if path not in there}}
        now = {path: status for path, status in found.items() if self._is_changed(path, status)}
        before = self._states_before(now)
        after = tracked.states.load(now, LARGEST, Budget())
        return [
            Touch(
                path=path,
                before=before.get(path),
                after=after[path],
                is_hard_link=is_new_link(now[path], self._inode_before(path)),
            )
            for path in now
            if before.get(path) != after[path] or after[path] == OTHER
        ]

    def _is_changed(self, path: str, now: os.stat_result | None) -> bool:
        index = self.tracked.index
        if path not in self.statuses and path in index.files:
            return now is None or not is_clean(index.files[path], now, index.written)
        then = self.statuses.get(path)
        return (None if now is None else stamp(now)) != (None if then is None else stamp(then))

    def _inode_before(self, path: str) -> int | None:
        if then := self.statuses.get(path):
            return then.st_ino
        return inode_of(self.tracked.index.files[path]) if path in self.tracked.modes else None

    def _states_before(self, changed: Iterable[str]) -> Mapping[str, FileState]:
        states: dict[str, FileState] = {}
        clean: dict[str, tuple[Tracked, int]] = {}
        budget = Budget()
        files = self.tracked.index.files
        for path in changed:
            if path in self.kept:
                states[path] = self.kept[path]
            elif path not in self.tracked.modes:
                states[path] = NOTHING
            elif budget.takes(size_of(files[path])):
                clean[path] = (files[path], self.tracked.modes[path])
        return {**states, **(self.tracked.states.committed(clean) if clean else {})}
