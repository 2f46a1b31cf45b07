"""Many events, one act: when they have stopped for a moment, or when the first one has waited long enough."""

from collections.abc import Callable

QUIET = 0.15
"""Seconds without an event after which a burst is over."""

LONGEST = 0.6
"""Seconds after which the first event of a burst must be acted upon, whatever comes after it."""

_EARLY = 0.002
"""Seconds that a timer may be early."""

Later = Callable[[float, Callable[[], None]], object]
"""Calls a function after so many seconds, as `loop.call_later` does."""


class Bursts:
    """Calls `act` once per burst. One timer and two numbers, however many events there are.

    Args:
        act: what is to be done.
        clock: seconds that only rise.
        later: how to wait.
    """

    def __init__(self, act: Callable[[], None], clock: Callable[[], float], later: Later) -> None:
        self._act = act
        self._clock = clock
        self._later = later
        self._first: float | None = None
        self._last = 0.0

    def note(self) -> None:
        """Something happened."""
        self._last = self._clock()
        if self._first is None:
            self._first = self._last
            self._later(QUIET, self._due)

    def _due(self) -> None:
        assert self._first is not None
        left = min(self._last + QUIET, self._first + LONGEST) - self._clock()
        if left > _EARLY:
            self._later(left, self._due)
            return
        self._first = None
        self._act()
