"""Places in a text, as half-open ranges of code points. Lines and columns exist only in `lsp/documents/convert.py`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import NamedTuple

# Lines end where LSP says they end. `str.splitlines` also splits at VT, FF, NEL, LS and PS.
_LINE_END = re.compile(r"\r\n|\n|\r")


class Span(NamedTuple):
    """The code points `start` to `end`, `end` excluded."""

    start: int
    end: int

    def contains(self, offset: int) -> bool:
        """Return True if `offset` lies inside or directly at the end."""
        return self.start <= offset <= self.end


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Put `new_text` where `span` is; an empty span inserts."""

    span: Span
    new_text: str


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """Return `text` with all edits made, whose spans refer to `text` as given.

    Raises:
        ValueError: two edits overlap, or one lies outside the text.
    """
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if edit.span.start < at or len(text) < edit.span.end or edit.span.end < edit.span.start:
            raise ValueError(f"edit at {edit.span} overlaps another or lies outside the text")
        pieces += text[at : edit.span.start], edit.new_text
        at = edit.span.end
    return "".join((*pieces, text[at:]))


def lines_of(text: str) -> list[str]:
    """Return the lines without their ends; as many as `line_spans` gives, and cheaper where places don't matter."""
    return _LINE_END.split(text) if "\r" in text else text.split("\n")


def line_spans(text: str) -> Sequence[Span]:
    """Spans of all lines without their ends; a text always has at least one line."""
    if "\r" in text:
        ends = [match.span() for match in _LINE_END.finditer(text)]
        starts = [0, *(end for _, end in ends)]
        return _spans(starts, [*(start for start, _ in ends), len(text)])
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    return _spans(starts[:-1], [start - 1 for start in starts[1:]])


def _spans(starts: list[int], ends: list[int]) -> Sequence[Span]:
    # Large plans have thousands of lines, which are cut anew with every key that is pressed.
    return tuple(map(partial(tuple.__new__, Span), zip(starts, ends, strict=True)))
