"""The two pipes to the client, and the messages in them. Import no other module before `open_stdio` ran, since any
print corrupts the protocol.
"""

import os
from collections.abc import Iterator
from typing import BinaryIO

_LARGEST, _MOST_DIGITS = 2**29, 12
"""Bytes of a message, and digits of its length, at most; a longer one ends the connection."""


def open_stdio() -> tuple[BinaryIO, BinaryIO]:
    """Return the client's pipes, for the protocol alone.

    From then on prints go to standard error, and reads from standard input are empty: libraries and child processes
    know only the descriptors 0 and 1.
    """
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, sink


def bodies_of(source: BinaryIO) -> Iterator[bytes]:
    """Yield bodies of messages until the end of file, or one above `_LARGEST`; unknown header lines are skipped."""
    length = 0
    while line := source.readline():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value.strip()[:_MOST_DIGITS])
        elif not line.strip() and length:
            body = source.read(length) if length <= _LARGEST else b""
            if len(body) < length:
                return
            yield body
            length = 0
