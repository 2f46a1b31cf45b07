"""What the jail costs: from asking for a command to its end, beside the same without a jail."""

import os
from collections.abc import Iterator
from pathlib import Path

from planact.adapters.sandbox.choose import Jail, probe
from planact.adapters.sandbox.profiles import Surroundings, make_profiles
from planact.adapters.sandbox.scratch import Scratch
from planact.adapters.sandbox.spawner import PlainSpawner, Spawner, Start
from tests.bench.row import Room, Row, in_turns


def bench(room: Room) -> Iterator[Row]:
    """No rows but the plain one where the system has no jail that is measured here."""
    work = room.make("workspace")
    kept = [room.folder / "state"]
    profiles = make_profiles(Surroundings({**os.environ}, room.folder / "home", work, kept, temporary=()))
    jail = Jail(probe(), "auto")
    spawners: dict[str, Spawner] = {"none": PlainSpawner()}
    if probe().landlock_abi:
        spawners |= {name: jail.spawner(profile) for name, profile in profiles.items() if not profile.sockets}
    output = os.open(os.devnull, os.O_WRONLY)
    acts = {name: lambda spawner=spawner: run_one(spawner, work, output) for name, spawner in spawners.items()}
    took = in_turns(room.pick(200, 2), acts)
    os.close(output)
    for name, times in took.items():
        yield Row(f"jail: `true` under {name}", "ms", times, took["none"] if name != "none" else (), "no jail")


def run_one(spawner: Spawner, folder: Path, output: int) -> None:
    """Run a program that does nothing, with a folder of its own if it gets one."""
    profile = spawner.profile
    scratch = Scratch(is_home=profile.has_own_home) if profile and profile.is_read_only else None
    start = Start(["/bin/true"], folder, dict(os.environ), output, scratch.path if scratch else None)
    spawner.start(start).shell.wait()
    if scratch:
        scratch.path.rmdir()
