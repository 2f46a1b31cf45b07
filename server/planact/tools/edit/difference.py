"""Changes of files as a unified difference for people.

Only the surroundings of each edit are looked at, and nothing beyond the limit, so that the time hardly depends on the
size of the file.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain, islice
from typing import assert_never

from planact.base.span import Span, TextEdit, apply_edits, line_spans
from planact.model.notice import EditedFile
from planact.model.runs.change import (
    Change,
    CreateFile,
    DeleteFile,
    MakeDirectory,
    RenameFile,
    ReplaceText,
    RestoreFile,
)

_CONTEXT = 3
_COMPARED = 250_000
"""Pairs of lines beyond which old and new are shown whole, one after the other."""


def difference(changes: Sequence[Change], limit: int) -> str:
    """The changes in the form of `diff -u`; what exceeds `limit` characters is left out, and said to be."""
    shown: list[str] = []
    left = limit
    for line in chain.from_iterable(map(_lines, changes)):
        left -= len(line) + 1
        if left < 0:
            return "\n".join([*shown, "… and more"])
        shown.append(line)
    return "\n".join(shown)


def line_counts(changes: Sequence[Change]) -> Iterator[EditedFile]:
    """Each file with the lines that are added to it and removed from it."""
    for change in changes:
        if isinstance(change, RenameFile):
            yield EditedFile(f"{change.place.shown} → {change.target.shown}")
            continue
        marks = Counter(line[:1] for line in _body(change))
        yield EditedFile(change.place.shown, marks["+"], marks["-"])


def _body(change: Change) -> Iterator[str]:
    """The lines without those that name the file."""
    is_named = isinstance(change, ReplaceText | CreateFile | DeleteFile)
    return islice(_lines(change), 2 if is_named else 0, None)


def _lines(change: Change) -> Iterator[str]:
    path = change.place.shown
    match change:
        case ReplaceText(before=before, edits=edits):
            yield from (f"--- {path}", f"+++ {path}")
            yield from _replaced(before.text, sorted(edits, key=lambda edit: edit.span))
        case CreateFile(text=text):
            yield from ("--- /dev/null", f"+++ {path}")
            yield from _marked("+", _whole(text))
        case DeleteFile(text=text):
            yield from (f"--- {path}", "+++ /dev/null")
            yield from _marked("-", _whole(text))
        case RenameFile(target=target):
            yield from (f"rename from {path}", f"rename to {target.shown}")
        case MakeDirectory():
            yield f"new folder {path}"
        case RestoreFile():
            yield f"put back {path}"
        case _:
            assert_never(change)


def _replaced(text: str, edits: Sequence[TextEdit]) -> Iterator[str]:
    spans = line_spans(text)
    starts = [span.start for span in spans]
    moved = 0
    for first, last, group in _groups(starts, edits):
        window = Span(starts[first], spans[last].end)
        shifted = [TextEdit(Span(e.span.start - window.start, e.span.end - window.start), e.new_text) for e in group]
        before = text[window.start : window.end]
        after = apply_edits(before, shifted)
        old, new = _split(before), _split(after)
        if last == len(spans) - 1 and not old[-1] and not new[-1]:  # what follows the last line end is no line
            old, new = old[:-1], new[:-1]
        yield f"@@ -{first + 1},{len(old)} +{first + 1 + moved},{len(new)} @@"
        yield from _compared(old, new) if old != new or before == after else ("(line ends)",)
        moved += len(new) - len(old)


def _groups(starts: Sequence[int], edits: Sequence[TextEdit]) -> Iterator[tuple[int, int, list[TextEdit]]]:
    """Edits whose surroundings meet, with the first and the last line of these."""
    group: list[TextEdit] = []
    first = last = 0
    for edit in edits:
        begin = max(0, bisect_right(starts, edit.span.start) - 1 - _CONTEXT)
        end = min(len(starts) - 1, bisect_right(starts, edit.span.end) - 1 + _CONTEXT)
        if group and begin > last:
            yield first, last, group
            group = []
        first, last = (begin, end) if not group else (first, max(last, end))
        group.append(edit)
    if group:
        yield first, last, group


def _compared(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    if len(old) * len(new) > _COMPARED:
        yield from chain(_marked("-", old), _marked("+", new))
        return
    for kind, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from _marked(" ", old[old_from:old_to])
        else:
            yield from chain(_marked("-", old[old_from:old_to]), _marked("+", new[new_from:new_to]))


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    return (f"{mark}{line}" for line in lines)


def _whole(text: str) -> list[str]:
    lines = _split(text)
    return lines if lines[-1] else lines[:-1]


def _split(text: str) -> list[str]:
    return [text[span.start : span.end] for span in line_spans(text)]
