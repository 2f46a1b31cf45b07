"""Rows out of the pages of a SQLite file that SQLite itself can't read: whichever of them are whole are found.

Nothing of its header, schema or trees is needed, since each of planact's tables has rows of a form of its own.
"""

import contextlib
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

PAGE = 4096
"""Bytes; what SQLite takes unless it is told otherwise."""

_LEAF = 13
_HEADER = 8
_LOG_HEADER, _FRAME_HEADER = 32, 24
_LOG_MAGIC = 0x377F0682  # and one more
_LARGEST_LOCAL = PAGE - 35
_SMALLEST_LOCAL = (PAGE - 12) * 32 // 255 - 23
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_CONSTANTS = {0: None, 8: 0, 9: 1}
_FLOAT = 7

Value: TypeAlias = int | float | str | bytes | None


@dataclass(frozen=True, slots=True)
class Form:
    """What rows of a table look like: for each column the type that its values have."""

    columns: Sequence[str]
    types: Sequence[type]

    def fits(self, values: Sequence[Value]) -> bool:
        """Whether these are the values of one of its rows."""
        return len(values) == len(self.types) and all(map(isinstance, values, self.types))


def rows_in(database: Path, log: Path, forms: Mapping[str, Form]) -> Iterator[tuple[str, int, Sequence[Value]]]:
    """Table, rowid and values of each row that is whole, once each, in the order of the pages. What was committed into
    the log stands over what the database has there.
    """
    pages = _pages(database, log)
    seen: set[tuple[str, int]] = set()
    for page in pages:
        for rowid, values in _rows(page, pages):
            table = next((name for name, form in forms.items() if form.fits(values)), None)
            if table is not None and (table, rowid) not in seen:
                seen.add((table, rowid))
                yield table, rowid, values


def _pages(database: Path, log: Path) -> Sequence[bytes]:
    data = database.read_bytes()
    pages = [data[start : start + PAGE].ljust(PAGE, b"\0") for start in range(0, len(data), PAGE)]
    for number, page in _committed(log.read_bytes() if log.exists() else b""):
        pages += [bytes(PAGE)] * (number - len(pages))
        pages[number - 1] = page
    return pages


def _committed(log: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and content of the pages in a log, as far as the last transaction that has an end."""
    if len(log) < _LOG_HEADER or struct.unpack_from(">I", log)[0] | 1 != _LOG_MAGIC | 1:
        return
    salts, pending = log[16:24], []
    for start in range(_LOG_HEADER, len(log) - PAGE - _FRAME_HEADER + 1, PAGE + _FRAME_HEADER):
        number, size = struct.unpack_from(">II", log, start)
        if log[start + 8 : start + 16] != salts or not 0 < number <= 2**31 // PAGE:
            return  # what an earlier, longer log left
        pending.append((number, log[start + _FRAME_HEADER : start + _FRAME_HEADER + PAGE]))
        if size:
            yield from pending
            pending = []


def _rows(page: bytes, pages: Sequence[bytes]) -> Iterator[tuple[int, Sequence[Value]]]:
    if page[0] != _LEAF:
        return
    (count,) = struct.unpack_from(">H", page, 3)
    for place in range(_HEADER, min(_HEADER + 2 * count, PAGE - 1), 2):
        with contextlib.suppress(IndexError, ValueError, struct.error):
            yield _cell(page, struct.unpack_from(">H", page, place)[0], pages)


def _cell(page: bytes, start: int, pages: Sequence[bytes]) -> tuple[int, Sequence[Value]]:
    length, start = _varint(page, start)
    rowid, start = _varint(page, start)
    payload = bytearray(page[start : start + _local(length)])
    (following,) = struct.unpack_from(">I", page, start + len(payload)) if len(payload) < length else (0,)
    used = {0}
    while len(payload) < length and following not in used:
        used.add(following)
        payload += pages[following - 1][4 : 4 + length - len(payload)]
        (following,) = struct.unpack_from(">I", pages[following - 1])
    if len(payload) < length:
        raise ValueError("it breaks off")
    return rowid - 2**64 if rowid >= 2**63 else rowid, tuple(_values(bytes(payload)))


def _local(length: int) -> int:
    """How much of a payload lies in the page itself."""
    if length <= _LARGEST_LOCAL:
        return length
    local = _SMALLEST_LOCAL + (length - _SMALLEST_LOCAL) % (PAGE - 4)
    return local if local <= _LARGEST_LOCAL else _SMALLEST_LOCAL


def _values(payload: bytes) -> Iterator[Value]:
    end, place = _varint(payload, 0)
    start = end
    while place < end:
        kind, place = _varint(payload, place)
        size = _INTEGERS.get(kind, 8 if kind == _FLOAT else max(0, kind - 12) // 2)
        data = payload[start : start + size]
        start += size
        if kind in _CONSTANTS:
            yield _CONSTANTS[kind]
        elif kind in _INTEGERS:
            yield int.from_bytes(data, "big", signed=True)
        elif kind == _FLOAT:
            yield struct.unpack(">d", data)[0]
        else:
            yield data.decode() if kind % 2 else data
    if start != len(payload):
        raise ValueError("its values are not as long as they say")


def _varint(data: bytes, start: int) -> tuple[int, int]:
    """The number there, and where it ends."""
    value = 0
    for place in range(start, start + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value << 8 | data[start + 8], start + 9
