"""Turning a hit and the lines that shall stand there into edits that leave every unchanged line's bytes alone."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from planact.base.span import Span, TextEdit
from planact.tools.edit.matching import Hit

# Above this many pairs of lines the middle of a block counts as changed whole: aligning it would take seconds.
_MOST_PAIRS = 250_000


class LineChange(NamedTuple):
    """Old lines `old_start` to `old_end` give way to the new lines `new_start` to `new_end`."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def changed_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[LineChange]:
    """Return the differences between two lists of lines."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(old_middle) * len(new_middle) > _MOST_PAIRS:
        yield LineChange(head, len(old) - tail, head, len(new) - tail)
        return
    for tag, a, b, c, d in SequenceMatcher(None, old_middle, new_middle, autojunk=False).get_opcodes():
        if tag != "equal":
            yield LineChange(head + a, head + b, head + c, head + d)


def splice(hit: Hit, change: LineChange, new: Sequence[str], newline: str) -> Iterator[TextEdit]:
    """The edits for one change of a block that stands at `hit`; `new` are all its new lines."""
    lines = new[change.new_start : change.new_end]
    old = hit[change.old_start : change.old_end]
    if len(lines) == len(old):
        # Line by line, so that the line endings between stay as they are.
        yield from (TextEdit(span, line) for span, line in zip(old, lines, strict=True))
    elif lines and old:
        yield TextEdit(Span(old[0].start, old[-1].end), newline.join(lines))
    elif lines and change.old_start < len(hit):
        at = hit[change.old_start].start
        yield TextEdit(Span(at, at), newline.join((*lines, "")))
    elif lines:
        at = hit[-1].end
        yield TextEdit(Span(at, at), newline.join(("", *lines)))
    elif change.old_end < len(hit):
        yield TextEdit(Span(old[0].start, hit[change.old_end].start), "")
    else:
        start = hit[change.old_start - 1].end if change.old_start else old[0].start
        yield TextEdit(Span(start, old[-1].end), "")


def compose(text: str, first: Sequence[TextEdit], second: Sequence[TextEdit]) -> tuple[TextEdit, ...]:
    """The edits to the original that do what `first` and then `second` do; both are in order.

    `text` is what `first` made of the original, which is what the spans of `second` refer to.
    """
    if not first:
        return tuple(second)
    moved: list[tuple[Span, int, TextEdit | None]] = [(edit.span, 0, edit) for edit in second]
    shift = 0
    for edit in first:
        start, growth = edit.span.start + shift, len(edit.new_text) - (edit.span.end - edit.span.start)
        moved.append((Span(start, start + len(edit.new_text)), growth, None))
        shift += growth
    moved.sort(key=lambda item: item[0])
    return tuple(_merged(text, moved))


def _merged(text: str, moved: Sequence[tuple[Span, int, TextEdit | None]]) -> Iterator[TextEdit]:
    """One edit per group of spans of `text` that touch; the number is what an earlier edit added to the length."""
    shift = at = 0
    while at < len(moved):
        start, end = moved[at][0]
        growth, pieces, done = 0, list[str](), start
        while at < len(moved) and moved[at][0].start <= end:
            span, added, edit = moved[at]
            end = max(end, span.end)
            growth += added
            if edit:
                pieces += text[done : span.start], edit.new_text
                done = span.end
            at += 1
        pieces.append(text[done:end])
        yield TextEdit(Span(start - shift, end - shift - growth), "".join(pieces))
        shift += growth
