"""What planact itself takes for each step of a run, by the size of the plan and by how far the run has come.

As in `turn`, the model's server measures it, with the real program and litellm over HTTP: from the end of each answer
to the next request, added up for a step. A bare client that sends the same requests is the baseline.
"""

import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from planact.plan.approval import approval_hash
from tests.bench import program
from tests.bench.parts.turn import bare_client, waits
from tests.bench.row import Room, Row
from tests.fakes.loopback_model import Call, LoopbackModel, Say

PLAN = ".planact/plans/plan_20261120_k3v9-large.plan"
REQUESTS = 2
"""For each step: a call, then the word that it is done."""


def bench(room: Room) -> Iterator[Row]:
    medians: dict[int, float] = {}
    for steps in room.pick((20, 1_000, 10_000), (20,)):
        own, raw = measured(room, steps, room.pick(20, 2))
        medians[steps] = statistics.median(own)
        yield Row(f"own time per step of a run, plan of {steps:,} steps", "ms", own, raw, "a bare client", "< 100")
    fewest, most = min(medians), max(medians)
    if fewest != most:
        times = medians[most] / medians[fewest]
        yield Row(f"own time per step of a run, {most:,} steps beside {fewest}", "times", [times], goal="< 1.5")


def plan(steps: int, left: int) -> str:
    """A plan of which only the last steps are left."""
    lines = [
        f"- [{'x' if number <= steps - left else ' '}] {number}. Write part {number}\n"
        f"  - reason: it is missing\n  - tools: create_file\n  - files: part_{number}.txt\n"
        f"  - expect: the part is there\n  - check: `grep -q text part_{number}.txt`\n"
        for number in range(1, steps + 1)
    ]
    head = '---\nformat_version: "1.0"\nid: plan_20261120_k3v9\nstatus: draft\n---\n'
    return f"{head}# Write all parts\n\n## Steps\n{''.join(lines)}"


def worker() -> LoopbackModel:
    """A model that makes the file of each step, and then says that it is done."""

    def answer(request: dict[str, Any]) -> Say:
        last = request["messages"][-1]
        if last["role"] == "tool":
            return Say("Done.")
        number = str(last["content"]).rpartition("Carry out step ")[2].partition(" ")[0]
        if not number.isdigit():
            return Say("Hello.")
        return Say(calls=[Call("create_file", {"path": f"part_{number}.txt", "content": "text\n"}, f"call_{number}")])

    return LoopbackModel(answer)


def measured(room: Room, steps: int, count: int) -> tuple[Sequence[float], Sequence[float]]:
    """Milliseconds for each of the last steps of a plan: planact's and a bare client's."""
    workspace = room.make(f"of-{steps}")
    text = plan(steps, count)
    path = workspace / PLAN
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with worker() as model:
        act(workspace, program.environment(model), approval_hash(text))
        ours = model
    with worker() as model:
        bare_client(model, [request.body for request in ours.requests])
    assert len(ours.requests) == REQUESTS * count, len(ours.requests)
    return by_step(waits(ours)), by_step(waits(model))


def by_step(each: Sequence[float]) -> Sequence[float]:
    """The waits of each step added up; the last one's end isn't seen by the model."""
    return [sum(each[at : at + REQUESTS]) for at in range(0, len(each) - 1, REQUESTS)]


def act(workspace: Path, environment: Mapping[str, str], plan_hash: str) -> None:
    with tempfile.TemporaryFile() as output:
        ran = program.start(["act", PLAN, "--hash", plan_hash], workspace, environment, output.fileno())
        code = ran.wait(3_600)
        output.seek(0)
        assert code == 0, output.read().decode()
