"""The output of a command in bounded memory: its beginning and its end, with the middle left out."""

import codecs
from collections import deque
from collections.abc import Callable
from time import monotonic

_SECONDS_BETWEEN = 0.1


class Output:
    """A decoder of output as it arrives; characters and their bytes may be split anywhere.

    `on_output` sees every piece up to `limit` characters and then only ten a second, so that endless output floods no
    client. `kept` characters of it are held, at least `limit`.
    """

    def __init__(self, limit: int, on_output: Callable[[str], None], kept: int = 0) -> None:
        self._limit = max(limit, 0)
        self._kept = max(kept, self._limit)
        self._on_output = on_output
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._head: list[str] = []
        self._room = self._kept - self._kept // 2  # in the head
        self._tail: deque[str] = deque()
        self._in_tail = 0
        self._length = 0
        self._shown_at = 0.0

    def add(self, data: bytes, *, is_last: bool = False) -> None:
        """Add bytes; `is_last` ends the output."""
        text = self._decoder.decode(data, is_last)
        if not text:
            return
        self._length += len(text)
        head, tail = text[: self._room], text[self._room :]
        if head:
            self._head.append(head)
            self._room -= len(head)
        if tail:
            self._tail.append(tail)
            self._in_tail += len(tail)
            while self._tail and self._in_tail - len(self._tail[0]) >= self._kept // 2:
                self._in_tail -= len(self._tail.popleft())
        now = monotonic()
        if self._length <= self._limit or now - self._shown_at >= _SECONDS_BETWEEN:
            self._shown_at = now
            self._on_output(text)

    @property
    def text(self) -> str:
        """Return all of it, or as much of both ends as the limit allows, with a line on the missing part and how to see
        it.
        """
        return self._ends(self._limit, "characters left out: narrow the command, as with rg or tail, to see them")

    @property
    def whole(self) -> str:
        """Return the kept part of an output that is longer than the limit; empty for a shorter one."""
        return self._ends(self._kept, "characters were not kept") if self._limit < min(self._length, self._kept) else ""

    def _ends(self, limit: int, told: str) -> str:
        head, tail = "".join(self._head), "".join(self._tail)
        if self._length <= limit:
            return f"{head}{tail}"
        half = limit // 2
        tail = tail[len(tail) - half :]
        return f"{head[: limit - half]}\n[… {self._length - limit} {told} …]\n{tail}"
