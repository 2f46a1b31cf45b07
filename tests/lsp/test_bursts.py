"""Many events are one act, soon after the first and never far from the last."""

from collections.abc import Callable

from planact.lsp.wire.bursts import MAX_BURST_SECONDS, QUIET, Bursts


class Clockwork:
    """A clock and its timers."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.most = 0

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        self.timers.append((self.now + seconds, call))
        self.most = max(self.most, len(self.timers))

    def run_until(self, time: float) -> None:
        while due := [timer for timer in self.timers if timer[0] <= time]:
            first = min(due, key=lambda timer: timer[0])
            self.timers.remove(first)
            self.now = first[0]
            first[1]()
        self.now = time


def acts_of(*events: float) -> tuple[list[float], Clockwork]:
    clock, acts = Clockwork(), list[float]()
    bursts = Bursts(lambda: acts.append(round(clock.now, 3)), lambda: clock.now, clock.later)
    for event in events:
        clock.run_until(event)
        bursts.note()
    clock.run_until(1_000)
    return acts, clock


def test_one_event_is_one_act_after_a_moment() -> None:
    assert acts_of(1.0)[0] == [1 + QUIET]


def test_what_comes_close_together_is_one_act_and_takes_one_timer() -> None:
    acts, clock = acts_of(*(1 + number / 100_000 for number in range(10_000)))
    assert (acts, clock.most) == ([round(1.09999 + QUIET, 3)], 1)


def test_a_burst_without_end_is_acted_upon_while_it_lasts() -> None:
    acts, _ = acts_of(*(number / 20 for number in range(41)))
    assert len(acts) == 4
    assert acts[0] == MAX_BURST_SECONDS
    assert acts[-1] == round(2.0 + QUIET, 3)


def test_what_comes_after_an_act_is_another_burst() -> None:
    assert acts_of(1.0, 5.0)[0] == [1 + QUIET, 5 + QUIET]
