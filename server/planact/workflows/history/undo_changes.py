"""Plan the undo of some steps from the journal's entries for each path and from the files as they are now.

A path is put back only while it is as the steps left it. Any other state is the user's or another program's work.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from planact.model.runs.touch import NOTHING, FileState, Touch


@dataclass(frozen=True, slots=True)
class StepRef:
    """One step of one run; step 0 is the work of a run without a plan."""

    execution_id: str
    step: int


@dataclass(frozen=True, slots=True)
class FileTouch:
    """A change of one path by one step.

    Attributes:
        sequence: orders the deeds of all runs.
        is_recorded: the journal says that the change was made; else the run ended before it could say so.
    """

    part: StepRef
    sequence: int
    touch: Touch
    is_recorded: bool = False


@dataclass(frozen=True, slots=True)
class Restore:
    """Make a path what it was: a file, a link, nothing, or a folder where a file or a link is now. Without a `mode` the
    permission bits stay. `also` = further names of a file (hard links), which become so with it. `is_apart` = the path
    is now a further name of another file, which isn't to change with it.
    """

    path: str
    now: FileState
    then: FileState
    mode: int | None
    also: tuple[str, ...]
    is_apart: bool

    @property
    def has_content(self) -> bool:
        """It needs the bytes that were kept."""
        return self.then.kind in ("file", "link")


@dataclass(frozen=True, slots=True)
class DivergedFile:
    """A file that isn't as the steps left it; `by` is the later step that changed it, None = another program did."""

    path: str
    left: FileState
    now: FileState
    by: StepRef | None = None


@dataclass(slots=True)
class UndoPlan:
    """The undo of some steps. Folders that the steps made go if they hold no other files.

    Attributes:
        restores: states to put back, by path.
        moved_on: files that changed since; if there are any, no file may be put back.
        stayed: files that can't be put back: their text before isn't known, or the path is no file now.
        folders_made: those that the steps made, the inner ones first, with their permission bits now; folders_removed:
            those that they removed, with these bits where they are known; folder_modes: bits of folders that only
            changed in these.
    """

    restores: list[Restore] = field(default_factory=list)
    moved_on: list[DivergedFile] = field(default_factory=list)
    stayed: list[str] = field(default_factory=list)
    folders_made: dict[str, int | None] = field(default_factory=dict)
    folders_removed: dict[str, int | None] = field(default_factory=dict)
    folder_modes: dict[str, int] = field(default_factory=dict)

    def leave_what_is_lost(self, is_kept: Callable[[str], bool]) -> None:
        """Move files whose bytes are lost from `restores` to `stayed`; planact's state was damaged or deleted."""
        lost = [each for each in self.restores if each.has_content and not is_kept(each.then.sha256)]
        self.stayed += [each.path for each in lost]
        self.restores = [each for each in self.restores if each not in lost]


def plan_undo(
    deeds: Sequence[FileTouch],
    parts: Collection[StepRef],
    now: Callable[[str], FileState],
    file_at: Callable[[str], Hashable],
) -> UndoPlan:
    """Plan the undo of `parts`. `deeds` are the changes of all steps that stand; `now` returns the state of a path, and
    `file_at` a value that is equal for the names of one file.
    """
    undo = UndoPlan()
    by_path: dict[str, list[FileTouch]] = {}
    for deed in sorted(deeds, key=lambda deed: deed.sequence):
        by_path.setdefault(deed.touch.path, []).append(deed)
    links = {path: of_path[-1].touch.after for path, of_path in by_path.items()}
    seen = _Seen(now, {path: state for path, state in links.items() if state.kind == "link"})
    by_file: dict[Hashable, list[FileTouch]] = {}
    for path in sorted(by_path):
        by_file.setdefault(file_at(path) if _stays_file(by_path[path]) else path, []).extend(by_path[path])
    for of_file in by_file.values():
        of_file.sort(key=lambda deed: deed.sequence)
        if any(deed.part in parts for deed in of_file):
            current = seen.state(of_file[0].touch.path)
            names = {deed.touch.path: None for deed in of_file if deed.part in parts}
            _undo_file(undo, _with_effect(_once(of_file), current), parts, current, [*names])
    undo.folders_made = dict(sorted(undo.folders_made.items(), key=lambda made: (-made[0].count("/"), made[0])))
    undo.restores.sort(key=lambda restore: restore.path)
    return undo


def _stays_file(deeds: Sequence[FileTouch]) -> bool:
    """Return whether the path was one file all the time, so that its deeds are those of it under all its names."""
    if any(deed.touch.is_hard_link for deed in deeds):
        return False
    states = [state for deed in deeds for state in (deed.touch.before, deed.touch.after)]
    return all(state is not None and state.kind == "file" for state in states)


def _undo_file(
    undo: UndoPlan, deeds: Sequence[FileTouch], parts: Collection[StepRef], now: FileState, names: Sequence[str]
) -> None:
    """Plan the undo of the changes of one path, or of one file under several names."""
    mine = [deed for deed in deeds if deed.part in parts]
    if not mine:
        return
    first, last = mine[0].touch, mine[-1].touch
    path, *also = names
    if not all(deed.touch.is_covered for deed in mine) or first.before is None:
        undo.stayed.append(path)
    elif _is_folder(first.before, last.after) and (
        {first.before.kind, last.after.kind} <= _FOLDER_OR_NOTHING or {first.before.kind, now.kind} == {"directory"}
    ):
        _undo_folder(undo, path, first.before, last.after, now)
    elif not _is_same(now, first.before, with_mode=(is_recreated := _changes_mode(mine))):
        is_between = now == NOTHING and _is_folder(first.before, last.after)  # an undo was cut short
        if not is_between and (moved := _moved_on(path, deeds, parts, now, with_mode=is_recreated)):
            undo.moved_on.append(moved)
        elif now.kind == "other" or (now.kind == "directory" and last.after.kind != "directory"):
            undo.stayed.append(path)
        else:
            mode = first.before.mode if is_recreated else None
            is_apart = any(deed.touch.is_hard_link for deed in mine)
            undo.restores.append(Restore(path, now, first.before, mode, tuple(also), is_apart))


_FOLDER_OR_NOTHING = {"directory", "nothing"}


def _is_folder(*states: FileState) -> bool:
    return any(state.kind == "directory" for state in states)


def _undo_folder(undo: UndoPlan, path: str, before: FileState, after: FileState, now: FileState) -> None:
    match before.kind, now.kind:
        case "nothing", "directory":
            undo.folders_made[path] = now.mode
        case "directory", "nothing":
            undo.folders_removed[path] = before.mode
        case "directory", "directory":  # bits that are neither of before nor as the steps left them are another's
            is_left = after.kind != "directory" or now.mode == after.mode
            if before.mode is not None and now.mode != before.mode and is_left:
                undo.folder_modes[path] = before.mode
        case "nothing", "nothing":
            pass
        case _:
            undo.stayed.append(path)


def _once(deeds: Sequence[FileTouch]) -> Sequence[FileTouch]:
    """Return the deeds of a file, each once where one change shows under several names."""
    kept: list[FileTouch] = []
    for deed in deeds:
        last = kept[-1] if kept else None
        is_again = (
            last is not None
            and last.part == deed.part
            and last.touch.path != deed.touch.path
            and (last.touch.before, last.touch.after) == (deed.touch.before, deed.touch.after)
        )
        if not is_again:
            kept.append(deed)
    return kept


@dataclass(frozen=True, slots=True)
class _Seen:
    """States now. What was in a folder for which the steps left a link (`links`) isn't there: what the link leads to is
    another's.
    """

    now: Callable[[str], FileState]
    links: Mapping[str, FileState]
    states: dict[str, FileState] = field(default_factory=dict)

    def state(self, path: str) -> FileState:
        if path not in self.states:
            state = self.now(path)
            if state.kind == "other" and any(self._is_link(str(above)) for above in PurePosixPath(path).parents):
                state = NOTHING
            self.states[path] = state
        return self.states[path]

    def _is_link(self, path: str) -> bool:
        return path in self.links and self.state(path) == self.links[path]


def _with_effect(deeds: Sequence[FileTouch], now: FileState) -> Sequence[FileTouch]:
    """Return the deeds without those that were never made, as of a call that was killed.

    A recorded one was made, also where another process took it back since: that is its work, which rolling back keeps.
    """
    kept: list[FileTouch] = []
    then: FileState | None = now
    for deed in reversed(deeds):
        touch = deed.touch
        came_to_nothing = (
            not deed.is_recorded
            and then is not None
            and touch.before is not None
            and not _is_same(touch.after, then, with_mode=True)
            and _is_same(touch.before, then, with_mode=True)
        )
        if not came_to_nothing:
            kept.append(deed)
            then = touch.before
    return kept[::-1]


def _moved_on(
    path: str, deeds: Sequence[FileTouch], parts: Collection[StepRef], now: FileState, *, with_mode: bool
) -> DivergedFile | None:
    for deed, (after, by) in zip(deeds, _next_states(deeds, now), strict=True):
        if deed.part not in parts:
            continue
        if by is not None and by not in parts:
            return DivergedFile(path, deed.touch.after, now, by)
        if after is None or not _is_same(deed.touch.after, after, with_mode=with_mode):
            return DivergedFile(path, deed.touch.after, after or now)
    return None


def _next_states(deeds: Sequence[FileTouch], now: FileState) -> Iterator[tuple[FileState | None, StepRef | None]]:
    """Yield the state before each later change, and its step; at the end the state now."""
    for deed in deeds[1:]:
        yield deed.touch.before, deed.part
    yield now, None


def _changes_mode(deeds: Sequence[FileTouch]) -> bool:
    """The permission bits are to be put back too: they were changed, or the file was gone in between."""
    for touch in (deed.touch for deed in deeds):
        before = touch.before or NOTHING
        if before.kind != touch.after.kind or not _is_same(before, touch.after, with_mode=True, with_content=False):
            return True
    return False


def _is_same(one: FileState, other: FileState, *, with_mode: bool, with_content: bool = True) -> bool:
    is_content = (one.kind, one.sha256) == (other.kind, other.sha256) or not with_content
    is_mode = one.mode == other.mode or None in (one.mode, other.mode) or not with_mode
    return is_content and is_mode
