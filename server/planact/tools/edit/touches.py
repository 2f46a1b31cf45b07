"""File states before and after a set of changes, worked out before they are made; the journal keeps both contents.

A rollback needs only these, so it works also when the process was killed right after.
"""

import hashlib
import stat
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from planact.base.errors import EditFailure, InvalidInput
from planact.base.filetext import FileText, encode, fingerprint
from planact.base.paths import Place
from planact.base.span import TextEdit, apply_edits
from planact.model.runs.change import (
    Change,
    CreateFile,
    DeleteFile,
    MakeDirectory,
    RenameFile,
    ReplaceText,
    RestoreFile,
)
from planact.model.runs.touch import DIRECTORY, NOTHING, OTHER, FileState, Touch
from planact.ports import Ports


def touches_of(ports: Ports, changes: Sequence[Change], limit: int) -> tuple[Touch, ...]:
    """Return each path once that `changes` touch, with the folders that they need. The journal keeps the contents
    before and after; `limit` is in bytes.

    Raises:
        EditFailure: EDIT_REFUSED, for edits that can't be made.
        InvalidInput: a file that can't be read, so that it couldn't be had back.
    """
    draft = _Draft(ports, limit)
    for change in changes:
        draft.play(change)
    return tuple(Touch(path=path, before=draft.before[path], after=state) for path, state in draft.after.items())


def state_now(ports: Ports, path: str, limit: int) -> FileState:
    """Return the state that the user sees at a path: unsaved text first. A path that a link on its way leads elsewhere
    is `OTHER`.
    """
    place = ports.files.resolve_entry(path)
    if place.relative is None or str(place.relative) != path:
        return OTHER
    if not place.exists:
        return NOTHING
    try:
        if place.is_directory:
            return FileState(kind="directory", mode=stat.S_IMODE(ports.files.info(place).mode))
        if place.is_link:
            return _link(ports.files.link_target(place))
        mode = ports.files.info(place).mode & 0o7777
        buffer = ports.editor.buffer(place)
        if buffer is not None and path in ports.editor.unsaved(place):
            return FileState(kind="file", sha256=fingerprint(buffer), mode=mode)
        digest = ports.files.digest(place, limit)
    except InvalidInput:
        return OTHER
    return FileState(kind="file", sha256=digest, mode=mode)


def file_at(ports: Ports, path: str) -> Hashable:
    """Return a value that is equal for all names of one file (hard links)."""
    place = ports.files.resolve_entry(path)
    try:
        return ports.files.info(place).identity if place.is_shared else path
    except InvalidInput:
        return path


def _link(target: bytes) -> FileState:
    return FileState(kind="link", sha256=hashlib.sha256(target).hexdigest())


@dataclass(slots=True)
class _Draft:
    """The workspace as the changes so far would leave it, by path."""

    ports: Ports
    limit: int
    before: dict[str, FileState] = field(default_factory=dict)
    after: dict[str, FileState] = field(default_factory=dict)

    def play(self, change: Change) -> None:
        place = change.place
        match change:
            case ReplaceText(before=before, edits=edits):
                now = self._now(place, before)
                self._put(place, self._file(encode(before, _edited(place, before, edits)), now.mode))
            case CreateFile(text=text):
                self._make_parents(place)
                self._put(place, self._file(encode(FileText(""), text)))
            case RenameFile(target=target):
                moved = self._now(place)
                self._make_parents(target)
                self._put(place, NOTHING)
                self._put(target, moved)
            case DeleteFile():
                self._put(place, NOTHING)
            case MakeDirectory():
                if self._now(place) == NOTHING:
                    self._make_parents(place)
                    self._put(place, DIRECTORY)
            case RestoreFile(data=data, is_link=True):
                self._make_parents(place)
                self._put(place, self._kept_link(data))
            case RestoreFile(data=data, mode=mode):
                self._make_parents(place)
                self._put(place, self._file(data, mode if mode is not None else self._now(place).mode))
            case _:
                assert_never(change)

    def _put(self, place: Place, state: FileState) -> None:
        self._now(place)
        self.after[place.shown] = state

    def _now(self, place: Place, seen: FileText | None = None) -> FileState:
        if place.shown not in self.before:
            self.before[place.shown] = state = self._found(place, seen)
            return state
        return self.after.get(place.shown, self.before[place.shown])

    def _found(self, place: Place, seen: FileText | None) -> FileState:
        if not place.exists:
            return NOTHING
        if place.is_directory:
            return DIRECTORY
        if place.is_link:
            return self._kept_link(self.ports.files.link_target(place))
        mode = stat.S_IMODE(self.ports.files.info(place).mode)
        if seen is not None and place.shown in self.ports.editor.unsaved(place):
            return self._file(encode(seen, seen.text), mode)  # the user's text isn't on disk yet
        return self._file(self.ports.files.read(place, self.limit), mode)

    def _file(self, data: bytes, mode: int | None = None) -> FileState:
        return FileState(kind="file", sha256=self.ports.journal.keep(data), mode=mode)

    def _kept_link(self, target: bytes) -> FileState:
        self.ports.journal.keep(target)
        return _link(target)

    def _make_parents(self, place: Place) -> None:
        for parent in reversed(list(self._missing(place))):
            self._put(parent, DIRECTORY)

    def _missing(self, place: Place) -> Iterator[Place]:
        for parent in place.real.parents:
            above = self.ports.files.resolve(str(parent))
            if above.relative is None or above.exists or self._now(above) != NOTHING:
                return
            yield above


def _edited(place: Place, before: FileText, edits: Sequence[TextEdit]) -> str:
    try:
        return apply_edits(before.text, edits)
    except ValueError as error:
        raise EditFailure("EDIT_REFUSED", f"{place.shown}: {error}", "Send edits that don't overlap") from error
