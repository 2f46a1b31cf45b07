"""The output of a command in bounded memory: its beginning and its end, with the middle left out."""

import codecs
from collections.abc import Callable
from time import monotonic

_SECONDS_BETWEEN = 0.1


class Output:
    """A decoder of output as it arrives; characters and their bytes may be split anywhere.

    `on_output` sees every piece up to `limit` characters and then only ten a second, so that endless output floods no
    client.
    """

    def __init__(self, limit: int, on_output: Callable[[str], None]) -> None:
        self._half = max(limit, 0) // 2
        self._limit = max(limit, 0)
        self._on_output = on_output
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._head = ""
        self._tail = ""
        self._length = 0
        self._shown_at = 0.0

    def add(self, data: bytes, *, is_last: bool = False) -> None:
        """Add bytes; `is_last` ends the output."""
        text = self._decoder.decode(data, is_last)
        if not text:
            return
        self._length += len(text)
        room = self._limit - self._half - len(self._head)
        self._head += text[:room]
        self._tail += text[room:]
        if len(self._tail) > 2 * self._half + 65_536:
            self._tail = self._tail[len(self._tail) - self._half :]
        now = monotonic()
        if self._length <= self._limit or now - self._shown_at >= _SECONDS_BETWEEN:
            self._shown_at = now
            self._on_output(text)

    @property
    def text(self) -> str:
        """Return all of it, or as much of both ends as the limit allows, with a line on the missing part and how to see
        it.
        """
        if self._length <= self._limit:
            return self._head + self._tail
        tail = self._tail[len(self._tail) - self._half :]
        left_out = self._length - len(self._head) - len(tail)
        gap = f"[… {left_out} characters left out: narrow the command, as with rg or tail, to see them …]"
        return f"{self._head}\n{gap}\n{tail}"
