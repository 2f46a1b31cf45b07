"""What six tasks on real packages take a model that makes a mistake in each: where it is told of it, and where not.

Each is done with all that tells an agent of its mistakes, and without as much of it as settings switch off: language
servers, repairs after a failed check, the planner's conversation in Act. Needs `tests/real/install` and
`tests/language_servers/install`.
"""

from collections.abc import Iterator

from tests.bench.row import Room, Row
from tests.real.tasks.driver import Done, do
from tests.real.tasks.tasks import QUESTION, TASKS

SWITCHED_OFF = "switched off"


def bench(room: Room) -> Iterator[Row]:
    every: list[tuple[Done, Done]] = []
    for task in room.pick(TASKS, (QUESTION,)):
        folders = (room.make(f"{task.name}, {how}") for how in ("informed", SWITCHED_OFF))
        pair = do(task, next(folders)), do(task, next(folders), is_informed=False)
        every.append(pair)
        yield from (row for row, _ in rows(f"task “{task.name}”", [pair]))
    for row, before in rows("all tasks", every):
        yield from (row, before)


def rows(name: str, done: list[tuple[Done, Done]]) -> Iterator[tuple[Row, Row]]:
    """Yield the sums over tasks, each with what it is where all that is switched off."""
    counts = {
        "requests": [[len(each.requests) for each in pair] for pair in done],
        "tokens read": [[each.tokens for each in pair] for pair in done],
        "tokens read that no earlier request began with": [[each.new_tokens for each in pair] for pair in done],
        "questions to the user": [[sum(each.questions.values()) for each in pair] for pair in done],
    }
    for what, found in counts.items():
        now, before = (float(sum(column)) for column in zip(*found, strict=True))
        unit, own = what.split(maxsplit=1)[0], f"{name}: {what}"
        yield Row(own, unit, [now], [before], SWITCHED_OFF), Row(f"{own}, {SWITCHED_OFF}", unit, [before])
