"""A limit on what another program may send."""

from time import monotonic

LARGEST_MESSAGE = 10_000_000  # bytes

_WINDOW_SECONDS = 60.0
_BYTES = 50_000_000
_MESSAGES = 10_000


class FloodError(Exception):
    """A server sent more than the limit."""


class Meter:
    """A count of one server's data, by the minute."""

    def __init__(self) -> None:
        self._since = monotonic()
        self._bytes = 0
        self._messages = 0

    def count(self, size: int, messages: int, message_size: int) -> None:
        """Count `size` bytes with their messages; the message in progress has reached a size of its own.

        Raises:
            FloodError: a message is too large, or too much came in this minute.
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
