"""Time as something one is given, so that tests decide what time it is."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Wall time for records, a monotonic count for durations, and waiting."""

    def now(self) -> datetime:
        """The time of day, with UTC as its zone."""
        ...

    def seconds(self) -> float:
        """Seconds that only ever grow, from an arbitrary start."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait; can be cancelled."""
        ...
