"""How fast command lines are judged: those of the corpus, and huge and hostile ones."""

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from planact.shell.parse.plain import plain_commands
from tests.bench.row import Room, Row, in_turns, stopwatch
from tests.shell.judged import classify

CORPUS = json.loads((Path(__file__).parents[2] / "data/shell_commands.json").read_text("utf-8"))
HOSTILE = (
    "a" * 1_000_000,
    "é" * 1_000_000,
    "echo " + "$(" * 4_000,
    "ls;" * 2_700,
    "cat <<A " * 1_000,
    "if " * 2_700,
)


def bench(room: Room) -> Iterator[Row]:
    entries = CORPUS[:: room.pick(1, 20)]
    lines = [entry["cmd"] for entry in entries]
    confirmed = [entry["cmd"] for entry in entries if entry["expect"] == "readonly" and not is_plain(entry["cmd"])]
    yield timed("plain command lines", [line for line in lines if is_plain(line)])
    yield timed("other command lines", [line for line in lines if not is_plain(line)])
    yield timed("those that shfmt confirms", confirmed)
    worst = in_turns(1, {text: lambda text=text: classify(text) for text in HOSTILE})
    yield Row("classifier: up to 1 MB of hostile input", "ms", [took for (took,) in worst.values()])


def is_plain(line: str) -> bool:
    return plain_commands(line) is not None


def timed(what: str, lines: Sequence[str]) -> Row:
    took, raw = list[float](), list[float]()
    for line in lines:
        with stopwatch(took):
            classify(line)
        with stopwatch(raw):
            split(line)
    return Row(f"classifier: {what}", "ms", took, raw, "shlex")


def split(line: str) -> Sequence[str]:
    try:
        return shlex.split(line)
    except ValueError:  # it doesn't end its quotes
        return ()
