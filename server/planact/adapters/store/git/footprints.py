"""Find the changes of a command, by comparing the files before it and after it.

The comparison is cheap: `stat` of tracked files and of the files that the work is about. Beforehand only content that
git couldn't give back is read: the files that the work is about, and tracked files that differ from git, up to a limit.
"""

import os
import subprocess
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePosixPath

from planact.adapters.store.git.blobs import GitBlobs
from planact.adapters.store.git.file_states import Budget, FileStates, stamp
from planact.adapters.store.git.index import NO_INDEX, Index, Tracked, index_file, read_index
from planact.adapters.store.git.tree import MOST_UNTRACKED, Tree, tracked_files
from planact.adapters.store.git.trial import LARGEST, NotCovered, TrialScope, TrialState, find_scope, held_with
from planact.base.errors import CommandFailure
from planact.model.runs.touch import NOTHING, OTHER, FileState, Touch
from planact.ports import Files, TrialBefore

MAX_BEFORE_IMAGE_BYTES = 1_000_000
"""Bytes of a tracked file that is kept beforehand because git couldn't give it back."""

MOST_TRACKED = 200_000
"""Files; a larger repository isn't looked at, but for what the work is about."""

ANSWER_FOR = 60.0
"""Seconds for which it holds whether a folder can be covered."""


class FileFootprints:
    """`ports.Footprints` of one workspace folder.

    Args:
        files: the folder.
        keep: keeps bytes, for `KNOWN_FOR` at least and as long as they are named; returns their SHA-256, in order.
        blobs: git's contents of it.
        largest: bytes of a file that the work is about.
        now: the time in seconds.
    """

    def __init__(
        self,
        files: Files,
        keep: Callable[[Sequence[bytes]], Sequence[str]],
        blobs: GitBlobs,
        largest: int,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._root = files.root
        self._states = FileStates(files, keep, blobs, now)
        self._largest = largest
        self._now = now
        self._index: tuple[tuple[int, ...], Index] = ((), NO_INDEX)
        self._tracked_files = tracked_files(NO_INDEX, LARGEST)
        self._lost: tuple[Index, object, frozenset[str]] = (NO_INDEX, None, frozenset())
        self._covers: tuple[float, bool] = (0.0, False)

    def snapshot(self, named: Collection[str]) -> "EarlierState":
        states, index = self._states, self._tracked()
        known_modes: dict[int, int] = {}  # one number for all files that have it: there may be 200,000
        statuses = {path: states.status(path) for path in self._watched(named)}
        budget = Budget()
        kept = states.load(statuses, self._largest, budget)
        modes: dict[str, int] = {}
        differing: dict[str, os.stat_result | None] = {}
        for path, tracked in index.files.items():
            if path in kept:
                continue
            now = states.status(path)
            if now is not None and tracked.is_clean(now, index.written):
                modes[path] = known_modes.setdefault(now.st_mode, now.st_mode)
                continue
            differing[path] = now
        there = {path: now for path, now in differing.items() if now is not None}
        kept |= states.load(there, MAX_BEFORE_IMAGE_BYTES, budget)
        return EarlierState(states, index, {**statuses, **differing}, modes, kept)

    def can_try(self) -> bool:
        since, covers = self._covers
        if not 0 <= self._now() - since < ANSWER_FOR:
            try:
                self._scope(())
                covers = True
            except NotCovered:
                covers = False
            self._covers = (self._now(), covers)
        return covers

    def trial(self, named: Collection[str], since: TrialBefore | None = None) -> TrialState:
        try:
            return self._begin(named, since.scope if isinstance(since, TrialState) else None)
        except NotCovered as error:
            self._covers = (self._now(), False)
            message = "what the command changes couldn't be undone here: too many files, or git tells too little"
            hint = "Run it without a trial, or have git ignore large folders."
            raise CommandFailure("COMMAND_FAILED_TO_START", message, hint) from error

    def _begin(self, named: Collection[str], since: TrialScope | None) -> TrialState:
        states, own = self._states, self._watched(named)
        scope = self._scope(own, since)
        tree = scope.tree
        beyond = (self._unrestorable(tree) - scope.tracked.large) & tree.clean.keys()
        wanted = {**scope.changeable, **{path: states.status(path) for path in sorted(beyond)}}
        kept = states.load(wanted, LARGEST, Budget(files=MOST_UNTRACKED, counts_known=True), is_listed=True)
        unseen = {path: states.status(path) for path in own if path not in kept and path not in tree.clean}
        unseen = {path: status for path, status in unseen.items() if path not in tree.folders}
        kept |= states.load(unseen, min(self._largest, LARGEST), Budget())
        held = held_with(scope, {path for path, state in kept.items() if state == OTHER})
        self._covers = (self._now(), True)
        unsettled = frozenset(path for path in tree.files.keys() - held if not states.is_settled(tree.files[path]))
        return TrialState(states, scope, unseen, kept, held, unsettled)

    def _scope(self, named: Collection[str], since: TrialScope | None = None) -> TrialScope:
        index = self._tracked()
        if index is not self._tracked_files.index:
            self._tracked_files = tracked_files(index, LARGEST)
        return find_scope(self._states, self._tracked_files, named, since)

    def _unrestorable(self, tree: Tree) -> frozenset[str]:
        """Return the tracked files that git can't give back though they are clean. Raises NotCovered."""
        index, special = self._tracked_files.index, self._tracked_files.special
        named = {path for path in chain(special, tree.files) if path.endswith(".gitattributes")}
        attributes = {path: stamp(status) for path in named if (status := self._states.status(path)) is not None}
        if self._lost[0] is not index or self._lost[1] != attributes:
            files = {path: (tracked.blob, tracked.size) for path, tracked in index.files.items()}
            try:
                lost = index.files.keys() - self._states.blobs.restorable(files)
            except (OSError, subprocess.SubprocessError, ValueError) as error:
                raise NotCovered from error
            self._lost = (index, attributes, frozenset(lost))
        return self._lost[2]

    def _watched(self, named: Collection[str]) -> Sequence[str]:
        return sorted({*named, *self._folders_to_come(named)})

    def _folders_to_come(self, named: Collection[str]) -> Iterator[str]:
        """Return the missing parent folders of missing files."""
        for path in named:
            for above in PurePosixPath(path).parents:
                if self._states.status(str(above)) is not None:
                    break
                yield str(above)

    def _tracked(self) -> Index:
        found = index_file(self._root)
        if found is None:
            return NO_INDEX
        path, prefix = found
        status = path.stat()
        if self._index[0] != stamp(status):
            index = read_index(path, prefix)
            self._index = (stamp(status), index if len(index.files) <= MOST_TRACKED else NO_INDEX)
        return self._index[1]


@dataclass(frozen=True, slots=True)
class EarlierState:
    """`ports.Before`: the earlier state, as far as git doesn't know it. Of clean files, which are many, only the mode
    is kept.
    """

    states: FileStates
    index: Index
    statuses: Mapping[str, os.stat_result | None]
    modes: Mapping[str, int]
    kept: Mapping[str, FileState] = field(default_factory=dict)

    def found(self) -> Sequence[Touch]:
        now: dict[str, os.stat_result | None] = {}
        for path in chain(self.index.files, self.statuses.keys() - self.index.files.keys()):
            status = self.states.status(path)
            if self._is_changed(path, status):
                now[path] = status
        before = self._states_before(now)
        after = self.states.load(now, LARGEST, Budget())
        return [
            Touch(path=path, before=before.get(path), after=after[path])
            for path in now
            if before.get(path) != after[path] or after[path] == OTHER
        ]

    def _is_changed(self, path: str, now: os.stat_result | None) -> bool:
        if path in self.modes:
            return now is None or not self.index.files[path].is_clean(now, self.index.written)
        then = self.statuses[path]
        return (None if now is None else stamp(now)) != (None if then is None else stamp(then))

    def _states_before(self, changed: Iterable[str]) -> Mapping[str, FileState]:
        states: dict[str, FileState] = {}
        clean: dict[str, tuple[Tracked, int]] = {}
        budget = Budget()
        for path in changed:
            if path in self.kept:
                states[path] = self.kept[path]
            elif path not in self.modes:
                states[path] = NOTHING
            elif budget.takes(self.index.files[path].size):
                clean[path] = (self.index.files[path], self.modes[path])
        return {**states, **(self.states.committed(clean) if clean else {})}
