"""A run that is killed anywhere goes on: no step is lost, none done twice without the user knowing, nothing is broken.

The real program, in real processes, killed by the kernel. Together over 50 kills, and 2,000 in
`make soak`; a failure names its moments.
"""

import ast
import os
import random
import secrets
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from queue import SimpleQueue

import pytest

import planact
from tests.kill import verdict
from tests.kill.rig import AFTER, BEFORE, LOGS, Rig, Zygote
from tests.soak import times

pytestmark = [pytest.mark.timeout(900), pytest.mark.soak]

WORKERS = 3
NEVER = 10**9

Moment = tuple[str, int]


@pytest.fixture(scope="module")
def zygotes() -> Iterator["SimpleQueue[Zygote]"]:
    queue: SimpleQueue[Zygote] = SimpleQueue()
    made = [Zygote() for _ in range(WORKERS)]
    for zygote in made:
        queue.put(zygote)
    yield queue
    for zygote in made:
        zygote.close()


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """In memory where there is such a place: what a kill leaves is the same, and nothing waits for a disk."""
    memory = Path("/dev/shm")
    parent = memory if os.access(memory, os.W_OK) else None
    made = Path(tempfile.mkdtemp(prefix="planact-kill-", dir=parent))
    yield made
    shutil.rmtree(made)


def all_of(
    zygotes: "SimpleQueue[Zygote]", folder: Path, cases: Sequence[object], check: Callable[[Rig, object], Iterator[str]]
) -> dict[str, list[str]]:
    """What is wrong, by case, each in a workspace of its own; the workspaces of the others are removed."""

    def one(case: object) -> list[str]:
        zygote = zygotes.get()
        try:
            rig = Rig(folder / secrets.token_hex(6), zygote)
            problems = list(check(rig, case))
        finally:
            zygotes.put(zygote)
        rig.remove()
        return problems

    with ThreadPoolExecutor(WORKERS) as pool:
        found = zip(cases, pool.map(one, cases), strict=True)
        return {str(case): problems for case, problems in found if problems}


def killed_and_taken_up(rig: Rig, *moments: Moment | float) -> Iterator[str]:
    """Kill it at each of the moments, then let it run to its end: as the same run, or as another one each time."""
    asked: set[str] = set()
    again = random.choice((rig.act, rig.go_on))
    for start, moment in zip((rig.act, *[again] * len(moments)), moments, strict=False):
        ran = start(seconds=moment) if isinstance(moment, float) else start(moment=moment)
        if ran.code != -signal.SIGKILL:
            continue  # it was quicker, or there was not so much to do any more
        yield from verdict.after_kill(rig)
        asked |= verdict.open_questions(rig)
    yield from verdict.after_resume(rig, again(), asked)


@pytest.fixture(scope="module")
def whole(zygotes: "SimpleQueue[Zygote]", folder: Path) -> Rig:
    """A run that nobody kills."""
    zygote = zygotes.get()
    rig = Rig(folder / "whole", zygote)
    ran = rig.act(moment=("line", NEVER))
    zygotes.put(zygote)
    assert list(verdict.after_resume(rig, ran, set())) == []
    return rig


def test_the_run_that_is_killed_writes_down_every_kind_of_entry(whole: Rig) -> None:
    written = {kind for _, kind, _ in whole.entries()}
    assert kinds_in_the_source() - written == {
        "run_resumed",
        "mark_missing",
        "mark_made",
        "rollback_started",
        "rollback_finished",
        "rollback_failed",
    }


def kinds_in_the_source() -> set[str]:
    """The constant given to whatever writes an entry."""
    found = set()
    for path in Path(planact.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("journal.append", "write_down")):
                texts = [each.value for each in node.args if isinstance(each, ast.Constant)]
                found |= {text for text in texts if isinstance(text, str) and text}
    return found


def test_killed_at_every_entry_of_the_journal(whole: Rig, zygotes: "SimpleQueue[Zygote]", folder: Path) -> None:
    moments = list(product(("before", "after"), range(1, len(whole.entries()) + 1)))
    assert len(moments) > 100
    moments = random.sample(moments, min(times(20, 1_000), len(moments)))
    assert all_of(zygotes, folder, moments, lambda rig, moment: killed_and_taken_up(rig, moment)) == {}


def test_killed_at_any_line_of_its_code(whole: Rig, zygotes: "SimpleQueue[Zygote]", folder: Path) -> None:
    moments = [("line", line) for line in drawn(whole.moments, times(10, 1_000))]
    assert all_of(zygotes, folder, moments, lambda rig, moment: killed_and_taken_up(rig, moment)) == {}


def test_killed_at_any_time(zygotes: "SimpleQueue[Zygote]", folder: Path) -> None:
    moments = [random.uniform(0.01, 1.0) for _ in range(times(12, 600))]
    assert all_of(zygotes, folder, moments, lambda rig, seconds: killed_and_taken_up(rig, seconds)) == {}


def test_killed_again_while_it_puts_things_in_order(whole: Rig, zygotes: "SimpleQueue[Zygote]", folder: Path) -> None:
    count = min(times(6, 200), len(whole.entries()))
    first = [("after", entry) for entry in drawn(len(whole.entries()), count)]
    again = [("line", line) for line in drawn(whole.moments // 2, count)]
    cases = list(zip(first, again, strict=True))
    assert all_of(zygotes, folder, cases, lambda rig, moments: killed_and_taken_up(rig, *moments)) == {}


def test_a_question_that_waits_is_there_with_its_id_whoever_is_killed(
    zygotes: "SimpleQueue[Zygote]", folder: Path
) -> None:
    def waits(rig: Rig, share: float) -> Iterator[str]:
        rig.answers("interrupted", "protected")
        waiting = rig.act()
        if waiting.code != 3:
            yield f"nobody was asked: {waiting}"
        (question,) = verdict.open_questions(rig)
        rig.act(moment=("line", int(share * 3_000)))
        yield from verdict.after_kill(rig)
        if verdict.open_questions(rig) != {question}:
            yield f"the question was {question}, and is {verdict.open_questions(rig)}"
        rig.run("answer", question, "warm", moment=("line", int(share * 300)))
        rig.act(moment=("line", int(share * 6_000)))
        yield from verdict.after_kill(rig)
        if question in verdict.open_questions(rig):
            rig.run("answer", question, "warm")
        yield from verdict.after_resume(rig, rig.act(), {question})

    assert all_of(zygotes, folder, [random.random() for _ in range(times(6, 200))], waits) == {}


def test_a_rollback_that_is_killed_is_finished_by_the_next(zygotes: "SimpleQueue[Zygote]", folder: Path) -> None:
    def rolled_back(rig: Rig, moment: Moment) -> Iterator[str]:
        rig.act()
        rig.run("rollback", "--yes", moment=moment)
        yield from verdict.after_kill(rig)
        again = rig.run("rollback", "--yes")
        found = {name: text for name, text in verdict.files(rig).items() if name not in LOGS}
        if found != {**BEFORE, ".git/hooks/pre-commit": AFTER[".git/hooks/pre-commit"]}:
            yield f"{again.code} {again.err[-500:]}: {found}"
        yield from verdict.after_rollback(rig)

    moments = [*product(("before", "after"), range(1, 4)), *(("line", line) for line in drawn(4_000, times(4, 200)))]
    assert all_of(zygotes, folder, moments, rolled_back) == {}


def test_together_these_were_many_kills(zygotes: "SimpleQueue[Zygote]") -> None:
    made = [zygotes.get() for _ in range(WORKERS)]
    for zygote in made:
        zygotes.put(zygote)
    assert sum(zygote.kills for zygote in made) >= times(50, 2_000)


def drawn(count: int, size: int) -> list[int]:
    return sorted(random.sample(range(1, count + 1), size))
