"""Texts of files as the model knows them, so that it hears of others' changes before it edits.

It knows the texts that it read or wrote. A text that is too long to keep counts as unknown: an edit must fit the file
in any case.
"""

from collections.abc import Sequence
from difflib import unified_diff
from typing import assert_never

from planact.base.span import apply_edits, lines_of
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

_LARGEST = 500_000
_MOST = 4_000_000
"""Characters of one file, and of all."""

_MOST_TOLD = 8_000
"""Characters of a difference; for more the model has to read the file."""


class KnownTexts:
    """Known texts of one conversation, by path."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._size = 0
        self._warned: set[str] = set()
        self._news: dict[str, str] = {}
        self._own: dict[str, str] = {}
        self._same_at: dict[str, Sequence[int]] = {}

    def note(self, path: str, text: str) -> None:
        """Store a text that the model knows now."""
        self.forget(path)
        if len(text) <= _LARGEST:
            self._texts[path] = text
            self._size += len(text)
        while self._size > _MOST:
            self.forget(next(iter(self._texts)))

    def forget(self, path: str) -> None:
        """Forget a file's text: the model doesn't know the present one."""
        self._size -= len(self._texts.pop(path, ""))
        self._warned.discard(path)
        self._same_at.pop(path, None)

    def note_same(self, path: str, stamp: Sequence[int]) -> None:
        """Note that a file had the known text when it had this stamp."""
        self._same_at[path] = stamp

    def is_same(self, path: str, stamp: Sequence[int]) -> bool:
        """Return whether a file with this stamp has the known text; False where it has to be read."""
        return bool(stamp) and self._same_at.get(path) == stamp

    def learn(self, change: Change) -> None:
        """Store the text that the model's own change made."""
        path = change.place.shown
        match change:
            case ReplaceText(before=before, edits=edits):
                self.note(path, apply_edits(before.text, edits))
            case CreateFile(text=text):
                self.note(path, text)
            case DeleteFile() | RenameFile() | RestoreFile():
                self.forget(path)
            case MakeDirectory():
                pass
            case _:
                assert_never(change)

    def note_own(self, made: FileChange, *, was_unsaved: bool) -> None:
        """Note that the agent changed a file, which may stay unsaved in the editor, and was so before."""
        if not was_unsaved or self.is_own(made.path, made.before):
            self._own[made.path] = made.after
        else:
            self._own.pop(made.path, None)

    def is_own(self, path: str, sha256: str) -> bool:
        """Return whether all that is unsaved in a file, whose text has this hash, is the agent's; if it is unsaved."""
        return self._own.get(path) == sha256

    def paths(self) -> Sequence[str]:
        """Return the paths of files whose text is known."""
        return tuple(self._texts)

    def difference(self, path: str, now: str) -> str:
        """Return the changes since the model knew the file, as a unified diff; empty if only line ends differ, or the
        file is unknown.
        """
        known = self._texts.get(path, now)
        if known == now or (old := lines_of(known)) == (new := lines_of(now)):
            return ""
        text = "\n".join(unified_diff(old, new, path, path, lineterm=""))
        return text if len(text) <= _MOST_TOLD else f"{text[:_MOST_TOLD]}\n… and more: read the file."

    def warn(self, path: str, now: str) -> str:
        """Return the changes since the model knew the file, to refuse an edit with; empty if there are none, or if the
        last edit was refused already. A user who types on would else keep the model from its work: `take_news` has the
        later changes.
        """
        was_warned = path in self._warned
        changed = self.difference(path, now)
        if changed:
            self.note(path, now)
            self._warned.add(path)
        if not was_warned:
            return changed
        if changed:
            self._news[path] = changed
        return ""

    def take_news(self, path: str) -> str:
        """Return the changes that the model wasn't told yet, once."""
        return self._news.pop(path, "")
