"""What the jail costs: from asking for a command to its end, beside the same without a jail."""

import os
import statistics
import sys
import time
from pathlib import Path

import pytest

from planact.adapters.sandbox.choose import Jail, probe
from planact.adapters.sandbox.profiles import Surroundings, make_profiles
from planact.adapters.sandbox.scratch import Scratch
from planact.adapters.sandbox.spawner import PlainSpawner, Spawner, Start

RUNS = 300
LIMIT_MS = 1.0


@pytest.mark.skipif(sys.platform != "linux" or not probe().landlock_abi, reason="measures Landlock")
def test_the_jail_costs_less_than_a_millisecond(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    profiles = make_profiles(Surroundings({**os.environ}, tmp_path / "home", work, [tmp_path / "state"], temporary=()))
    jail = Jail(probe(), "required")
    spawners: dict[str, Spawner] = {"plain": PlainSpawner()}
    spawners |= {name: jail.spawner(profile) for name, profile in profiles.items() if not profile.sockets}
    output = os.open(os.devnull, os.O_WRONLY)
    took: dict[str, list[float]] = {name: [] for name in spawners}
    for _ in range(RUNS):  # in turns, so that whatever else runs meanwhile weighs on all alike
        for name, spawner in spawners.items():
            took[name].append(one_command(spawner, work, output))
    os.close(output)
    plain = statistics.median(took["plain"])
    print(f"\nplain spawn: median {plain:.2f} ms; {jail.summary}")
    for name, times in took.items():
        more = statistics.median(times) - plain
        print(f"  {name:12} {plain + more:5.2f} ms, {more:+.2f} ms, × {(plain + more) / plain:.2f}")
        assert more < LIMIT_MS


def one_command(spawner: Spawner, folder: Path, output: int) -> float:
    """Milliseconds from start to end of a program that does nothing, with a folder of its own if it gets one."""
    started = time.perf_counter()
    profile = spawner.profile
    scratch = Scratch(is_home=profile.has_own_home) if profile and profile.is_read_only else None
    start = Start(["/bin/true"], folder, dict(os.environ), output, scratch.path if scratch else None)
    spawner.start(start).shell.wait()
    if scratch:
        scratch.path.rmdir()
    return (time.perf_counter() - started) * 1_000
