"""How much a server may send, so that one that floods costs nobody else."""

from time import monotonic

LARGEST_MESSAGE = 10_000_000  # bytes

_WINDOW_SECONDS = 60.0
_BYTES = 50_000_000
_MESSAGES = 10_000


class FloodError(Exception):
    """A server sent more than anyone could use."""


class Meter:
    """Counts what one server sends, by the minute."""

    def __init__(self) -> None:
        self._since = monotonic()
        self._bytes = 0
        self._messages = 0

    def count(self, size: int, messages: int, message_size: int) -> None:
        """Some bytes came, with so many messages, one of which has come to so many bytes.

        Raises:
            FloodError: that is too large, or there were too many in this minute.
        """
        if message_size > LARGEST_MESSAGE:
            raise FloodError(f"it sent a message of more than {LARGEST_MESSAGE:,} bytes")
        now = monotonic()
        if now - self._since > _WINDOW_SECONDS:
            self._since, self._bytes, self._messages = now, 0, 0
        self._bytes += size
        self._messages += messages
        if self._bytes > _BYTES or self._messages > _MESSAGES:
            raise FloodError(f"it sent {self._bytes:,} bytes and {self._messages:,} messages within a minute")
