"""What a part of the bench yields: rows of samples, each beside those of a raw baseline where there is one.

Both are taken in turns, in one run, so that whatever else the machine does weighs on both alike.
"""

import math
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")
Samples = Sequence[float]


@dataclass(frozen=True, slots=True)
class Row:
    """`raw` says what the baseline is; `goal` is the budget as people read it, such as `< 50`."""

    name: str
    unit: str
    samples: Samples
    baseline: Samples = ()
    raw: str = ""
    goal: str = ""

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    @property
    def p90(self) -> float:
        """The nearest rank, so that it is one of the samples, however few there are."""
        return sorted(self.samples)[math.ceil(0.9 * len(self.samples)) - 1]

    @property
    def ratio(self) -> float | None:
        """How many times the baseline it is, by the medians."""
        base = statistics.median(self.baseline) if self.baseline else 0.0
        return self.median / base if base else None


@dataclass(frozen=True, slots=True)
class Room:
    """Where a part works: an empty folder of its own, and whether only to show that it still runs."""

    folder: Path
    is_short: bool

    def pick(self, whole: Value, short: Value) -> Value:
        return short if self.is_short else whole

    def make(self, name: str) -> Path:
        """A new folder."""
        (self.folder / name).mkdir()
        return self.folder / name


Part = Callable[[Room], Iterator[Row]]


@contextmanager
def stopwatch(into: list[float], clock: Callable[[], float] = time.perf_counter) -> Iterator[None]:
    """Add the milliseconds that the block takes."""
    started = clock()
    yield
    into.append((clock() - started) * 1_000)


def in_turns(
    runs: int, acts: Mapping[str, Callable[[], object]], clock: Callable[[], float] = time.perf_counter
) -> dict[str, list[float]]:
    """Milliseconds of each act, one of each at a time."""
    took: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(runs):
        for name, act in acts.items():
            with stopwatch(took[name], clock):
                act()
    return took


async def awaited_in_turns(runs: int, acts: Mapping[str, Callable[[], Awaitable[object]]]) -> dict[str, list[float]]:
    """The same for what is awaited."""
    took: dict[str, list[float]] = {name: [] for name in acts}
    for _ in range(runs):
        for name, act in acts.items():
            with stopwatch(took[name]):
                await act()
    return took
