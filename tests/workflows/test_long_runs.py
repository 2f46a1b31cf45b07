"""What a step of a run costs depends on the step: not on the plan's length, and not on how far the run has come."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from planact.model.chat.message import Reply
from planact.model.settings import Settings
from planact.plan.syntax import parser
from tests.fakes.world import Turn, call, calls
from tests.workflows.scene import PATH, Scene

SAID = Reply("Done.")


class Counts:
    """What is done between the ends of steps: texts of plans that are read whole, entries of the journal that are read,
    and derived files that are written.
    """

    def __init__(self, it: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
        self.by_step: list[dict[str, int]] = []
        self._now: dict[str, int] = {}
        self._is_inside = False
        journal = it.world.store.journal
        for name in ("read", "of_step", "step_starts", "runs"):
            monkeypatch.setattr(journal, name, self._counting(getattr(journal, name)))
        lines_of = parser.line_spans

        def note(text: str) -> Sequence[Any]:
            self._add("texts", 1)
            return lines_of(text)

        monkeypatch.setattr(parser, "line_spans", note)
        put = it.world.store.records.put_execution

        def end_step(*args: Any, **options: Any) -> None:
            put(*args, **options)
            self.by_step.append(self._now)
            self._now = {}

        monkeypatch.setattr(it.world.store.records, "put_execution", end_step)
        write = it.world.files.write

        def written(place: Any, *rest: Any, **options: Any) -> None:
            if str(place.shown).endswith(".json"):
                self._add("derived files", 1)
            write(place, *rest, **options)

        monkeypatch.setattr(it.world.files, "write", written)

    def _counting(self, act: Callable[..., Sequence[Any]]) -> Callable[..., Sequence[Any]]:
        def counted(*args: Any, **options: Any) -> Sequence[Any]:
            is_outer, self._is_inside = not self._is_inside, True
            found = act(*args, **options)
            if is_outer:  # the fake's methods call each other
                self._add("entries", len(found))
                self._is_inside = False
            return found

        return counted

    def _add(self, name: str, count: int) -> None:
        self._now[name] = self._now.get(name, 0) + count


def run(root: Path, monkeypatch: pytest.MonkeyPatch, *, steps: int, left: int) -> list[dict[str, int]]:
    """Run the last steps of a plan, and return the counts of each."""
    numbers = range(steps - left + 1, steps + 1)
    turns: list[Turn] = []
    for number in numbers:
        turns += [calls(call("create_file", path=f"{number}.txt", content="x\n")), SAID]
    root.mkdir()
    it = Scene(root, *turns, settings=Settings(model="played"))
    body = "".join(
        f"- [{'x' if number <= steps - left else ' '}] {number}. Write part {number}\n  - files: {number}.txt\n"
        for number in range(1, steps + 1)
    )
    head = '---\nformat_version: "1.0"\nid: plan_20261120_aaaa\nstatus: draft\n---\n'
    it.write_plan(f"{head}# Write all\n\n## Steps\n{body}", PATH)
    counts = Counts(it, monkeypatch)
    assert it.execute().status == "success"
    assert it.marks() == "x" * steps
    # The first step begins the run, and the last end of a step is told before the run's.
    return counts.by_step[2 : left + 1]


def test_a_step_costs_the_same_in_a_long_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = run(tmp_path / "short", monkeypatch, steps=8, left=6)
    long = run(tmp_path / "long", monkeypatch, steps=300, left=6)
    assert short == long
    assert all("texts" not in each and "derived files" not in each for each in long)


def test_a_step_costs_the_same_after_many_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    each = run(tmp_path / "run", monkeypatch, steps=30, left=30)
    assert len({tuple(sorted(counts.items())) for counts in each}) == 1, each
