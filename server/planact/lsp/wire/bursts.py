"""Coalesces bursts of events: one call when they have paused, or when the first one has waited long enough."""

from collections.abc import Callable

QUIET = 0.15
"""Seconds without an event after which a burst is over."""

MAX_BURST_SECONDS = 0.6
"""Seconds after the first event of a burst until `act` is called, even if more events come."""

_EARLY = 0.002
"""Seconds that a timer may fire early."""

Later = Callable[[float, Callable[[], None]], object]
"""Calls a function after so many seconds, as `loop.call_later` does."""


class Bursts:
    """Calls `act` once per burst, with one timer and two numbers for any number of events.

    Args:
        act: called once per burst.
        clock: returns seconds that only rise.
        later: calls a function after some seconds.
    """

    def __init__(self, act: Callable[[], None], clock: Callable[[], float], later: Later) -> None:
        self._act = act
        self._clock = clock
        self._later = later
        self._first: float | None = None
        self._last = 0.0

    def note(self) -> None:
        """Note one event."""
        self._last = self._clock()
        if self._first is None:
            self._first = self._last
            self._later(QUIET, self._due)

    def _due(self) -> None:
        assert self._first is not None
        left = min(self._last + QUIET, self._first + MAX_BURST_SECONDS) - self._clock()
        if left > _EARLY:
            self._later(left, self._due)
            return
        self._first = None
        self._act()
