"""Time and identifiers as parameters, so that tests decide both."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Wall time for records, a monotonic count for durations, and waiting."""

    def now(self) -> datetime:
        """The time of day, with UTC as its zone."""

    def seconds(self) -> float:
        """Seconds that only ever grow, from an arbitrary start."""

    async def sleep(self, seconds: float) -> None:
        """Wait; can be cancelled."""


BASE32 = "abcdefghijkmnpqrstuvwxyz23456789"
"""Thirty-two characters that people don't mix up: no l, o, 0 or 1."""


class IdSource(Protocol):
    """A source of new identifiers."""

    def uuid7(self) -> str:
        """A UUID of version 7: unique, and sorted by time."""

    def random(self, length: int) -> str:
        """`length` random characters of `BASE32`."""


def new_plan_id(now: datetime, ids: IdSource) -> str:
    """`plan_YYYYMMDD_xxxx`: random, so that branches and servers don't collide."""
    return f"plan_{now:%Y%m%d}_{ids.random(4)}"
