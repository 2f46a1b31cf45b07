"""What the jail costs: from asking for a command to its end, beside the same without a jail."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from planact.adapters.sandbox.choose import Jail, probe
from planact.adapters.sandbox.limits.find_credentials import CredentialFinder
from planact.adapters.sandbox.limits.profiles import JailEnvironment, make_profiles
from planact.adapters.sandbox.limits.scratch import Scratch
from planact.adapters.sandbox.limits.view import View, view
from planact.adapters.sandbox.spawner import PlainSpawner, Spawner, Start
from tests.bench.row import Room, Row, in_turns

SIBLINGS = 1_000


def bench(room: Room) -> Iterator[Row]:
    """No rows but the plain one where the system has no jail that is measured here."""
    work, split = room.make("workspace"), room.make("split")
    (split / ".env").write_text("TOKEN=x\n")
    for number in range(SIBLINGS):
        (split / f"file-{number}").write_text("x\n")
    spawners: dict[str, Spawner] = {"none": PlainSpawner()}
    if probe().landlock_abi:
        spawners |= jailed(room, work)
        spawners[f"local-read, {SIBLINGS:,} files beside `.env`"] = jailed(room, split)["local-read"]
    output = os.open(os.devnull, os.O_WRONLY)
    finder = CredentialFinder()
    acts = {name: lambda spawner=spawner: run_one(spawner, work, output, finder) for name, spawner in spawners.items()}

    async def measure() -> dict[str, list[float]]:
        # Jails whose commands ask planact need a loop to be asked on.
        return in_turns(room.pick(200, 2), acts)

    took = asyncio.run(measure())
    os.close(output)
    for name, times in took.items():
        yield Row(f"jail: `true` under {name}", "ms", times, took["none"] if name != "none" else (), "no jail")


def jailed(room: Room, work: Path) -> dict[str, Spawner]:
    """Spawners for all profiles of a workspace that this process can start."""
    kept = [room.folder / "state"]
    jail, environment = Jail(probe(), "auto"), {**os.environ}
    around = JailEnvironment(
        environment, room.folder / "home", work, kept, temporary=(), can_mount=jail.mounts_in(work)
    )
    profiles = make_profiles(around)
    return {name: jail.spawner(profile) for name, profile in profiles.items() if not profile.sockets}


def run_one(spawner: Spawner, folder: Path, output: int, finder: CredentialFinder) -> None:
    """Run a program that does nothing, with a folder of its own if it gets one."""
    profile = spawner.profile
    is_reading = profile is not None and (profile.is_read_only or profile.guards is not None)
    seen = view(profile, finder) if profile and is_reading else View()
    scratch = Scratch(profile) if profile and is_reading else None
    start = Start(["/bin/true"], folder, dict(os.environ), output, scratch.folders if scratch else (), seen)
    started = spawner.start(start)
    started.shell.wait()
    started.close()
    if scratch:
        for own in scratch.folders:
            shutil.rmtree(own)
