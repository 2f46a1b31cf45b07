"""Identifiers as something one is given, so that tests can foresee them."""

from datetime import datetime
from typing import Protocol

BASE32 = "abcdefghijkmnpqrstuvwxyz23456789"
"""Thirty-two characters that people don't mix up: no l, o, 0 or 1."""


class IdSource(Protocol):
    """Where new identifiers come from."""

    def uuid7(self) -> str:
        """A UUID of version 7: unique, and sorted by time."""
        ...

    def random(self, length: int) -> str:
        """`length` random characters of `BASE32`."""
        ...


def new_plan_id(now: datetime, ids: IdSource) -> str:
    """`plan_YYYYMMDD_xxxx`: random, so that branches and servers don't collide."""
    return f"plan_{now:%Y%m%d}_{ids.random(4)}"
