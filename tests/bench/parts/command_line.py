"""How soon the program at the terminal shows life and has asked the model, and how soon it is gone after the answer."""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.program import environment
from tests.bench.row import Room, Row
from tests.fakes.loopback_model import LoopbackModel, Say

NOTHING = "print(1)"
LITELLM = """
import os
print(1, flush=True)
import litellm
said = [{"role": "user", "content": "hello"}]
for _ in litellm.completion("openai/bench", said, api_base=os.environ["PLANACT_MODEL_ENDPOINT"], stream=True):
    pass
"""


@dataclass(frozen=True, slots=True)
class Waits:
    """Milliseconds: from the start of a program to its first output and its first request (0 = none), and from the end
    of the answer to the end of the program.
    """

    output: float
    request: float
    end: float


def bench(room: Room) -> Iterator[Row]:
    programs = {"ours": ("-m", "planact", "plan", "Look"), "raw": ("-c", NOTHING), "litellm": ("-c", LITELLM)}
    programs |= {"help": ("-m", "planact", "--help"), "list": ("-m", "planact", "plan", "list")}
    folder = room.make("workspace")
    found: dict[str, list[Waits]] = {name: [] for name in programs}
    with LoopbackModel(lambda _: Say("Done.")) as model:
        for _ in range(room.pick(6, 1)):
            for name, program in programs.items():
                found[name].append(run(program, folder, model))
    ours, raw, litellm = found["ours"], found["raw"], found["litellm"]
    output = [waits.output for waits in ours]
    yield Row("CLI: start → first output", "ms", output, [waits.output for waits in raw], "python -c", "< 200")
    for name, what in (("help", "`--help`"), ("list", "`plan list`")):
        output = [waits.output for waits in found[name]]
        yield Row(f"CLI: start → output of {what}", "ms", output, [waits.output for waits in raw], "python -c")
    requests = ([waits.request for waits in each] for each in (ours, litellm))
    yield Row("CLI: start → first request", "ms", *requests, "litellm alone", "< 2,300")
    ends = ([waits.end for waits in each] for each in (ours, litellm))
    yield Row("CLI: end of the answer → end of the program", "ms", *ends, "litellm alone")


def run(program: Sequence[str], folder: Path, model: LoopbackModel) -> Waits:
    asked, answered = len(model.requests), len(model.ended)
    started = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *program], cwd=folder, env=environment(model), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        output = time.perf_counter()
        process.stdout.read()
        process.wait(180)
    ended = time.perf_counter()
    came = model.requests[asked].came if len(model.requests) > asked else started
    last = model.ended[-1] if len(model.ended) > answered else ended
    return Waits((output - started) * 1_000, (came - started) * 1_000, (ended - last) * 1_000)
