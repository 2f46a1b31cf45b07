"""Time and ids as a test wants them."""

from datetime import UTC, datetime, timedelta

from planact.base.sources import BASE32


class FakeClock:
    """`Clock` that moves only when told to, or when somebody sleeps."""

    def __init__(self, start: datetime = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)) -> None:
        self.time = start
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self.time

    def seconds(self) -> float:
        return self.time.timestamp()

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


class FakeIds:
    """`IdSource` that counts, so that ids are known beforehand and sorted by age."""

    def __init__(self) -> None:
        self._count = 0

    def uuid7(self) -> str:
        self._count += 1
        return f"01900000-0000-7000-8000-{self._count:012x}"

    def random(self, length: int) -> str:
        self._count += 1
        number, digits = self._count, ""
        for _ in range(length):
            number, digit = divmod(number, len(BASE32))
            digits = BASE32[digit] + digits
        return digits
