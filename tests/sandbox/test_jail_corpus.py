"""Everything in the corpus that does not only read, really run: in the jail nothing changes, without it much does."""

import json
import random
import re
import sys
from pathlib import Path
from time import monotonic

import pytest

from planact.model.rights.jail import Confinement
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import Yard, abilities_of_each_rung
from tests.soak import times

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the jails that are tested here are Linux's"),
    pytest.mark.timeout(900),
    pytest.mark.soak,
]

CORPUS = Path(__file__).parents[1] / "data" / "shell_commands.json"
WHOLE = [row["cmd"] for row in json.loads(CORPUS.read_text("utf-8")) if row["expect"] == "not_readonly"]
COMMANDS = random.Random(1).sample(WHOLE, times(150, len(WHOLE)))

# Never without a jail, even where there is no network: they concern the machine or reach for others.
UNSAFE = re.compile(
    r"\b(curl|wget|xh|aria2c|nc|telnet|ftp|ping|ssh\S*|scp|rsync|docker\S*|podman|kubectl|helm|aws|gh|glab|az|gcloud|heroku"
    r"|flyctl|vercel|netlify|terraform|ansible\S*|vagrant|pulumi|sam|serverless|npm|npx|yarn|pnpm|bunx?|pip|pipx|uvx?|poetry"
    r"|conda|brew|apt|apt-get|dpkg|rpm|snap|cargo|go|mvn|gradlew?|cmake|mysql|mongosh|host|crontab|at|wall|sudo|su|doas|sg"
    r"|newgrp|kill|pkill|killall|renice|reboot|shutdown|systemctl|hostnamectl|timedatectl|mount|umount|swapoff|insmod|ip"
    r"|ifconfig|iptables|dbus-send|notify-send|watch|sleep|daemon|credential|clone|fetch|pull|push|ls-remote|submodule|lfs"
    r"|screen|tmux|script|gdb|dd)\b|/dev/sd|> */dev/tcp"
)
SAFE = [command for command in COMMANDS if not UNSAFE.search(command)]
SECONDS = 3.0  # servers and prompts would wait for ever


async def run_in_jail(rung: str, profile: Confinement, commands: list[str]) -> list[str]:
    """The commands after which something was not as before."""
    yard = Yard.make()
    runner = yard.runner(abilities_of_each_rung()[rung], profile)
    before, guilty = yard.picture(), []
    try:
        for command in commands:
            await yard.run(runner, command, SECONDS)
            if (after := yard.picture()) != before:
                guilty.append(f"{command}: {sorted(dict(before.items() ^ after.items()))}")
                before = after
    finally:
        yard.remove()
    return guilty


async def run_without(commands: list[str]) -> list[str]:
    changing = []
    for command in commands:
        yard = Yard.make()
        try:
            before = yard.picture()
            await yard.run(yard.runner(None, "act"), command, SECONDS)
            if yard.picture() != before:
                changing.append(command)
        finally:
            yard.remove()
    return changing


@pytest.mark.parametrize("profile", ["local-read", "contain"])
def test_no_command_changes_anything_in_the_jail(profile: Confinement) -> None:
    rung = next(iter(abilities_of_each_rung()))
    assert len(WHOLE) > 700
    started = monotonic()
    assert as_ordinary_user(lambda: run_in_jail(rung, profile, COMMANDS), timeout=800) == []
    print(f"{len(COMMANDS)} commands in {monotonic() - started:.0f} s")


@pytest.mark.parametrize("rung", list(abilities_of_each_rung())[1:])
def test_no_command_changes_anything_on_a_lower_rung(rung: str) -> None:
    assert as_ordinary_user(lambda: run_in_jail(rung, "local-read", SAFE), timeout=800) == []


def test_the_same_commands_change_much_without_a_jail() -> None:
    changing = as_ordinary_user(lambda: run_without(SAFE), timeout=800)
    print(f"{len(changing)} of {len(SAFE)} commands change something")
    assert len(changing) > len(SAFE) // 3
