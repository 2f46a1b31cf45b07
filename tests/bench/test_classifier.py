"""How well and how fast command lines are judged."""

import json
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from planact.shell.plain import plain_commands
from tests.shell.judged import classify, in_plan

CORPUS = json.loads((Path(__file__).parents[1] / "data/shell_commands.json").read_text("utf-8"))
# Five times what was measured on two busy cores, so that only a change of kind fails.
LIMIT_MS, PLAIN_LIMIT_MS, BIG_LIMIT_MS = 30.0, 0.5, 500.0


def test_rates_on_the_corpus() -> None:
    useful = [entry["cmd"] for entry in CORPUS if entry["expect"] == "readonly"]
    core = [entry["cmd"] for entry in CORPUS if entry["expect"] != "readonly" and entry["tier"] == "core"]
    allowed = sum(in_plan(line).kind == "allow" for line in useful)
    leaked = sum(in_plan(line).kind == "allow" for line in core)
    print(f"\nuseful commands allowed in Plan: {allowed} of {len(useful)}; bypasses: {leaked} of {len(core)}")
    assert allowed >= 0.95 * len(useful)
    assert leaked == 0


def test_time_of_a_command() -> None:
    lines = [entry["cmd"] for entry in CORPUS]
    plain = times([line for line in lines if plain_commands(line) is not None])
    rest = times([entry["cmd"] for entry in CORPUS if plain_commands(entry["cmd"]) is None])
    confirmed = times(
        [entry["cmd"] for entry in CORPUS if entry["expect"] == "readonly" and plain_commands(entry["cmd"]) is None]
    )
    print()
    for name, found in (("plain", plain), ("not plain", rest), ("confirmed by shfmt", confirmed)):
        p90 = statistics.quantiles(found, n=10)[8]
        print(f"classify, {name}: median {statistics.median(found):.3f} ms, p90 {p90:.3f} ms")
    assert statistics.median(plain) < PLAIN_LIMIT_MS
    assert statistics.median(confirmed) < LIMIT_MS


def test_time_of_huge_and_hostile_input() -> None:
    hostile = [
        "a" * 1_000_000,
        "é" * 1_000_000,
        "echo " + "$(" * 4_000,
        "ls;" * 2_700,
        "cat <<A " * 1_000,
        "if " * 2_700,
    ]
    worst = max(times(hostile))
    print(f"\nclassify, up to 1 MB of hostile input: worst {worst:.1f} ms")
    assert worst < BIG_LIMIT_MS


def times(lines: Sequence[str]) -> list[float]:
    found: list[float] = []
    for line in lines:
        started = time.perf_counter()
        classify(line)
        found.append((time.perf_counter() - started) * 1_000)
    return found
