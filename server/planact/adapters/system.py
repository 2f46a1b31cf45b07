"""The machine's clock and source of randomness."""

import asyncio
import secrets
import time
from datetime import UTC, datetime

from planact.base.sources import BASE32


class SystemClock:
    """Implements `base.sources.Clock`."""

    def now(self) -> datetime:
        """The time of day in UTC."""
        return datetime.now(UTC)

    def seconds(self) -> float:
        """Seconds that only grow."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class SystemIds:
    """Implements `base.sources.IdSource`. Ids of one process sort as they were made, also within a millisecond."""

    def __init__(self) -> None:
        self._last = 0

    def uuid7(self) -> str:
        """48 bits of milliseconds, 12 that count, 62 random ones; RFC 9562."""
        stamp = max(time.time_ns() // 1_000_000 << 12, self._last + 1)
        self._last = stamp
        bits = (stamp >> 12) << 80 | 7 << 76 | (stamp & 0xFFF) << 64 | 2 << 62 | secrets.randbits(62)
        digits = f"{bits:032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def random(self, length: int) -> str:
        """Characters of `BASE32`."""
        return "".join(secrets.choice(BASE32) for _ in range(length))
