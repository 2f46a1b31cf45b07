"""JSON-RPC messages as the Language Server Protocol frames them, read from a program that may be hostile."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from planact.base.flood import LARGEST_MESSAGE, FloodError, Meter

_LARGEST_HEADER = 4_096
_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"(?:^|\r\n)content-length:[ \t]*([0-9]{1,9})[ \t]*(?:\r\n|$)", re.IGNORECASE)


class BrokenWire(Exception):
    """The other side doesn't speak the protocol."""


class MessageReader:
    """Messages from bytes that come in any pieces."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._length: int | None = None
        self._meter = Meter()

    def feed(self, data: bytes) -> Iterator[Mapping[str, Any]]:
        """Yield the messages that are complete with `data`.

        Raises:
            BrokenWire: these are no messages.
            FloodError: they are too large or too many.
        """
        self._held += data
        self._meter.count(len(data), 0, 0)
        while (body := self._next_body()) is not None:
            self._meter.count(0, 1, 0)
            try:
                message = json.loads(body)
            except (ValueError, RecursionError):
                raise BrokenWire("it sent a message that is no JSON") from None
            if not isinstance(message, dict):
                raise BrokenWire("it sent a message that is no object")
            yield message

    def _next_body(self) -> bytes | None:
        if self._length is None:
            end = self._held.find(_END)
            if (end if end >= 0 else len(self._held)) > _LARGEST_HEADER:
                raise BrokenWire("it sent no header of a message")
            if end < 0:
                return None
            found = _LENGTH.search(bytes(self._held[:end]))
            if found is None:
                raise BrokenWire("it sent a header without a length")
            self._length = int(found[1])
            if self._length > LARGEST_MESSAGE:
                raise FloodError(f"it sent a message of more than {LARGEST_MESSAGE:,} bytes")
            del self._held[: end + len(_END)]
        if len(self._held) < self._length:
            return None
        body = bytes(self._held[: self._length])
        del self._held[: self._length]
        self._length = None
        return body


def framed(message: Mapping[str, Any]) -> bytes:
    """Return the bytes of a message."""
    body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode("utf-8", "replace")
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
