"""Of the system's folders a jail opens what every user of the machine may read, and nothing else, though root may."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sandbox.test_credentials import HELD, RUNGS
from tests.sandbox.yard import Yard

SHADOW = Path("/etc/shadow")
LOGS = [path for path in sorted(Path("/var/log").glob("*.log")) if path.is_file() and path.stat().st_size]
JAILS = [*HELD, *([("bubblewrap", "trial")] if "bubblewrap" in RUNGS else [])]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the jails that are tested here are Linux's")

SECRET = (
    next((line for line in SHADOW.read_text().splitlines() if line.count(":") > 5), "") if os.geteuid() == 0 else ""
)

WAYS = (
    "echo $(<{})",
    "echo {} | xargs cat",
    "cat {{},/etc/gshadow}",
    "x={}; cat $x; cat ${x%/*}/*",
    "cat /proc/self/root{}",
    "python3 -c 'print(open(\"{}\").read())'",
    "ln -s {} $HOME/z; cat $HOME/z",
    "tar -cf - {} | tar -xOf -",
    "grep -h . {} /etc/* /var/log/*",
    "find /etc /var/log -maxdepth 1 -type f -exec cat {} +",
)


@pytest.fixture(scope="module")
def yard() -> Iterator[Yard]:
    yard = Yard.make()
    yield yard
    yard.remove()


@pytest.mark.skipif(not SECRET, reason="only root may read what is asked for")
@pytest.mark.parametrize(("rung", "profile"), JAILS)
async def test_no_way_shows_what_other_users_can_not_read(yard: Yard, rung: str, profile: str) -> None:
    runner = yard.runner(RUNGS[rung], profile)  # type: ignore[arg-type]
    for way in WAYS:
        assert SECRET not in (await yard.run(runner, way.replace("{}", str(SHADOW)))).output, way
    assert (await yard.run(runner, "cat /etc/passwd")).output.startswith("root:")
    assert (await yard.run(runner, "id; ls -l /etc/ssl; date")).exit_code == 0


@pytest.mark.skipif(not LOGS, reason="needs a log of the system")
@pytest.mark.parametrize(("rung", "profile"), JAILS)
async def test_what_is_asked_about_by_name_can_not_be_read_by_another(yard: Yard, rung: str, profile: str) -> None:
    secret = LOGS[0].read_text().splitlines()[0]
    runner = yard.runner(RUNGS[rung], profile)  # type: ignore[arg-type]
    for way in (*WAYS, "cat /var/{lib,log}/*.log"):
        assert secret not in (await yard.run(runner, way.replace("{}", str(LOGS[0])))).output, way


@pytest.mark.skipif(not LOGS, reason="needs a log of the system")
@pytest.mark.parametrize("rung", RUNGS)
async def test_what_the_user_allowed_by_name_is_opened(yard: Yard, rung: str) -> None:
    runner = yard.runner(RUNGS[rung], "outside-read")
    for path in (LOGS[0], *([SHADOW] if os.geteuid() == 0 else [])):
        result = await yard.run(runner, f"head -1 {path}", outside=[str(path)])
        assert result.output.strip() == path.read_text().splitlines()[0], path
