"""Apply a list of changes on disk, all or none, and verify them.

The whole list is played through in memory first: later changes may build on earlier ones, and most failures show then.
"""

import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePath
from typing import assert_never

from planact.base.errors import EditFailure, InvalidInput, NotFound, PlanactError
from planact.base.filetext import FileText, digest_of, encode
from planact.base.paths import Place
from planact.base.span import apply_edits
from planact.model.runs.change import (
    Change,
    CreateFile,
    DeleteFile,
    MakeDirectory,
    RenameFile,
    ReplaceText,
    RestoreFile,
)
from planact.model.runs.execution import FileChange
from planact.model.runs.touch import LARGEST_UNDONE
from planact.ports import Files


@dataclass(frozen=True, slots=True)
class _Directory:
    """Stands for a directory where a file would have bytes."""


@dataclass(frozen=True, slots=True)
class _Link:
    """Stands for a link, which holds the path `target`."""

    target: bytes


_Content = bytes | _Link | _Directory | None


@dataclass(frozen=True, slots=True)
class _Act:
    """An action and its reversal. One with a `depth` sets a folder's permission bits, after all others, the deepest
    first.
    """

    do: Callable[[], None]
    undo: Callable[[], None]
    depth: int | None = None


@dataclass(slots=True)
class _Draft:
    """The disk as the changes so far would leave it, over the disk as it is."""

    files: Files
    before: dict[PurePath, _Content] = field(default_factory=dict)
    after: dict[PurePath, _Content] = field(default_factory=dict)
    touched: dict[PurePath, Place] = field(default_factory=dict)
    unkept: set[PurePath] = field(default_factory=set)
    _hashes: dict[int, tuple[bytes, str]] = field(default_factory=dict)

    def hash(self, content: _Content) -> str:
        """Return the SHA-256, in hex, of a file's or a link's content, taken once for each."""
        held = content.target if isinstance(content, _Link) else content
        if not isinstance(held, bytes):
            return ""
        if id(held) not in self._hashes:
            self._hashes[id(held)] = held, digest_of(held)
        return self._hashes[id(held)][1]

    def now(self, place: Place) -> _Content:
        if place.real not in self.after:
            is_new = any(self._is_new_directory(above) for above in place.real.parents)
            self.before[place.real] = self.after[place.real] = None if is_new else self.on_disk(place)
        return self.after[place.real]

    def _is_new_directory(self, path: PurePath) -> bool:
        return isinstance(self.after.get(path), _Directory) and not isinstance(self.before[path], _Directory)

    def on_disk(self, place: Place) -> _Content:
        try:
            if self.files.info(place).kind == "directory":
                return _Directory()
            if place.is_link:
                return _Link(self.files.link_target(place))
            return self.files.read(place, LARGEST_UNDONE)
        except NotFound:
            return None

    def put(self, place: Place, content: _Content) -> None:
        self.now(place)
        self.touched[place.real] = place
        self.after[place.real] = content


def apply_to_disk(files: Files, changes: Sequence[Change], keep: Callable[[bytes], str]) -> tuple[FileChange, ...]:
    """Make all `changes` or none; `keep` takes the before-image of each file before any file is touched.

    Returns each path that was touched once, with its hashes before the first and after the last change.

    Raises:
        EditFailure: EDIT_CONFLICT when a file differs from `before`, or from its intended text afterwards; FILE_EXISTS;
            EDIT_REFUSED. Changes made by then are reverted; the message names those that could not be.
        InvalidInput: a file can't be read.
    """
    draft = _Draft(files)
    planned = [act for change in changes for act in _plan(draft, change)]
    acts = [act for act in planned if act.depth is None]
    modes = sorted((act for act in planned if act.depth is not None), key=lambda act: -(act.depth or 0))
    for real in draft.touched:
        if isinstance(content := draft.before[real], bytes) and real not in draft.unkept:
            keep(content)
        elif isinstance(content, _Link):
            keep(content.target)
    done: list[_Act] = []
    try:
        for act in acts:
            act.do()
            done.append(act)
        _verify(draft)  # before folders are closed again, perhaps
        for act in modes:
            act.do()
            done.append(act)
    except BaseException as error:
        left = _revert(done)
        if left and isinstance(error, PlanactError):
            raise EditFailure(
                "EDIT_CONFLICT", f"{error.message}; {left}", "Look at these files before going on"
            ) from error
        raise
    return tuple(
        FileChange(path=place.shown, before=draft.hash(draft.before[real]), after=draft.hash(draft.after[real]))
        for real, place in draft.touched.items()
    )


def _plan(draft: _Draft, change: Change) -> Iterator[_Act]:
    match change:
        case ReplaceText(place, before, edits, is_kept):
            if not is_kept and place.real not in draft.before:
                draft.unkept.add(place.real)
            old = _expect(draft, place, before.sha256)
            try:
                new = encode(before, apply_edits(before.text, edits))
            except ValueError as error:
                raise EditFailure("EDIT_REFUSED", f"{place.shown}: {error}", "Send edits that don't overlap") from error
            draft.put(place, new)
            yield _Act(_write(draft, place, new, old), _write(draft, place, old, new))
        case CreateFile(place, text):
            _expect_nothing(draft, place)
            yield from _make_parents(draft, place)
            data = encode(FileText(""), text)
            draft.put(place, data)
            yield _Act(_write(draft, place, data, None), _delete(draft, place, data))
        case RenameFile(place, target):
            content = draft.now(place)
            if content is None:
                raise EditFailure(
                    "EDIT_CONFLICT", f"{place.shown} isn't there", "List the directory to see what there is"
                )
            _expect_nothing(draft, target)
            yield from _make_parents(draft, target)
            moved = replace(target, is_link=place.is_link)
            draft.put(place, None)
            draft.put(moved, content)
            yield _Act(_move(draft, place, target), _move(draft, moved, place))
        case DeleteFile(place, before):
            yield from _plan_delete(draft, place, before)
        case MakeDirectory():
            yield from _plan_directory(draft, change)
        case RestoreFile():
            yield from _plan_restore(draft, change)
        case _:
            assert_never(change)


def _plan_directory(draft: _Draft, change: MakeDirectory) -> Iterator[_Act]:
    place, mode = replace(change.place, is_link=False), change.mode
    if change.before:
        yield from _plan_delete(draft, change.place, change.before)
    is_there = isinstance(draft.now(place), _Directory)
    if not is_there:
        _expect_nothing(draft, place)
        yield from _make_parents(draft, place)
        yield _make(draft, place)
    if mode is None:
        return
    make, depth = draft.files.make_directory, len(place.real.parts)
    if not is_there or not isinstance(draft.before[place.real], _Directory):
        yield _Act(partial(make, place, mode), lambda: None, depth)
        return
    old = stat.S_IMODE(draft.files.info(place).mode)
    if old & stat.S_IRWXU != stat.S_IRWXU:  # what is in it changes first
        yield _Act(partial(make, place, old | stat.S_IRWXU), partial(make, place, old))
    yield _Act(partial(make, place, mode), partial(make, place, old | stat.S_IRWXU), depth)


def _plan_restore(draft: _Draft, change: RestoreFile) -> Iterator[_Act]:
    place, mode = change.place, change.mode
    is_other = place.is_link or change.is_link
    if change.over_directory:
        yield from _plan_delete(draft, place, "")
    if change.before and is_other:
        yield from _plan_delete(draft, place, change.before)
    if not change.before or is_other:
        made = replace(place, is_link=change.is_link)
        content = _Link(change.data) if change.is_link else change.data
        _expect_nothing(draft, made)
        yield from _make_parents(draft, made)
        draft.put(made, content)
        yield _Act(_put(draft, made, content, mode), _delete(draft, made, content))
        return
    old = _expect(draft, place, change.before)
    old_mode = stat.S_IMODE(draft.files.info(place).mode)
    draft.put(place, change.data)
    write = _write(draft, place, change.data, old, mode, is_apart=change.is_apart)
    yield _Act(write, _write(draft, place, old, change.data, old_mode))


def _plan_delete(draft: _Draft, place: Place, before: str) -> Iterator[_Act]:
    content = draft.now(place)
    if not before and isinstance(content, _Directory):
        draft.put(place, None)
        yield _Act(_delete(draft, place, None), lambda: draft.files.make_directory(place))
        return
    if not isinstance(content, _Link):
        content = _expect(draft, place, before)
    elif draft.hash(content) != before:
        raise _conflict(place)
    mode = stat.S_IMODE(draft.files.info(place).mode) if isinstance(draft.on_disk(place), bytes) else None
    draft.put(place, None)
    yield _Act(_delete(draft, place, content), _put(draft, place, content, mode))


def _make_parents(draft: _Draft, place: Place) -> Iterator[_Act]:
    """Make the missing parent directories of `place` one by one, so that a reversal removes just these."""
    missing: list[Place] = []
    for parent in place.real.parents:
        above = draft.touched.get(parent) or draft.files.resolve(str(parent))
        try:
            found = draft.now(above)
        except InvalidInput as error:  # a pipe, perhaps, or too large a file
            raise _in_the_way(above, place) from error
        if isinstance(found, _Directory):
            break
        if found is not None:
            raise _in_the_way(above, place)
        missing.append(above)
    for directory in reversed(missing):
        yield _make(draft, directory)


def _in_the_way(above: Place, place: Place) -> EditFailure:
    return EditFailure("EDIT_REFUSED", f"{above.shown} is a file, so {place.shown} can't be", "Choose another path")


def _make(draft: _Draft, place: Place) -> _Act:
    draft.put(place, _Directory())
    return _Act(lambda: draft.files.make_directory(place), _delete(draft, place, None))


def _write(
    draft: _Draft,
    place: Place,
    data: bytes,
    expected: bytes | None,
    mode: int | None = None,
    *,
    is_apart: bool = False,
) -> Callable[[], None]:
    def write() -> None:
        before = None if expected is None else draft.hash(expected)
        draft.files.write(place, data, before, mode, is_apart=is_apart)

    return write


def _put(draft: _Draft, place: Place, content: bytes | _Link, mode: int | None) -> Callable[[], None]:
    """Return the making of a file or a link where nothing is."""
    if isinstance(content, _Link):
        return partial(draft.files.make_link, place, content.target)
    return _write(draft, place, content, None, mode)


def _delete(draft: _Draft, place: Place, expected: bytes | _Link | None) -> Callable[[], None]:
    return lambda: draft.files.delete(place, None if expected is None else draft.hash(expected))


def _move(draft: _Draft, place: Place, target: Place) -> Callable[[], None]:
    return lambda: draft.files.rename(place, target)


def _expect(draft: _Draft, place: Place, sha256: str) -> bytes:
    content = draft.now(place)
    if not isinstance(content, bytes) or draft.hash(content) != sha256:
        raise _conflict(place)
    return content


def _conflict(place: Place) -> EditFailure:
    return EditFailure(
        "EDIT_CONFLICT", f"{place.shown} isn't what it was when it was read", "Read it again and repeat the change"
    )


def _expect_nothing(draft: _Draft, place: Place) -> None:
    if draft.now(place) is not None:
        raise EditFailure("FILE_EXISTS", f"{place.shown} exists", "Choose another name, or change it")


def _verify(draft: _Draft) -> None:
    for real, place in draft.touched.items():
        if any(isinstance(draft.after.get(above), bytes | _Link) for above in real.parents):
            continue  # it was in a folder that is none now
        if draft.on_disk(place) != draft.after[real]:
            raise EditFailure(
                "EDIT_CONFLICT", f"{place.shown} was changed by another program right after", "Read it again"
            )


def _revert(done: Sequence[_Act]) -> str:
    """Revert in reverse order, as far as possible; return the paths that stay changed."""
    problems: list[str] = []
    for act in reversed(done):
        try:
            act.undo()
        except PlanactError as error:
            problems.append(error.message)
    return f"taking back what was done failed: {'; '.join(problems)}" if problems else ""
