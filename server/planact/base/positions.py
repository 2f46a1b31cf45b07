"""Strict reading of positions that language servers send: a line and a number of code units in it."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Literal, NamedTuple

from planact.base.span import line_spans

Encoding = Literal["utf-8", "utf-16", "utf-32"]

CODECS: Mapping[Encoding, tuple[str, int]] = {
    "utf-8": ("utf-8", 1),
    "utf-16": ("utf-16-le", 2),
    "utf-32": ("utf-32-le", 4),
}
"""The codec of each encoding, and the bytes of one of its units."""


class Position(NamedTuple):
    """A line and a unit in it; both count from 0."""

    line: int
    unit: int


def units_of(text: str, encoding: Encoding) -> int:
    """Return the length of a text in units."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    codec, size = CODECS[encoding]
    # A client can send half a surrogate pair, and gets it back.
    return len(text.encode(codec, "surrogatepass")) // size


def offsets_of(text: str, positions: Iterable[Position], encoding: Encoding) -> dict[Position, int]:
    """Return the offset of each position, in time that grows with the text and the positions.

    Raises:
        ValueError: the text has no such place, since it lies behind the end of its line or within a character.
    """
    lines = line_spans(text)
    codec, size = CODECS[encoding]
    offsets: dict[Position, int] = {}
    for number, group in groupby(sorted(set(positions)), key=lambda position: position.line):
        if not 0 <= number < len(lines):
            raise ValueError(f"there is no line {number + 1}")
        line = lines[number]
        data = text[line.start : line.end].encode(codec, "surrogatepass")
        offset, unit = line.start, 0
        for position in group:
            if not 0 <= position.unit * size <= len(data):
                raise ValueError(f"line {number + 1} has no unit {position.unit}")
            try:
                offset += len(data[unit * size : position.unit * size].decode(codec))
            except UnicodeDecodeError:
                raise ValueError(f"unit {position.unit} of line {number + 1} lies within a character") from None
            unit = position.unit
            offsets[position] = offset
    return offsets
