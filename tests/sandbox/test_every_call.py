"""Every system call, with arguments that could do harm, whether a table knows it or not."""

import os
import resource
import sys
from pathlib import Path

import pytest

from tests.fakes.ordinary_user import WITH_DISK, as_ordinary_user
from tests.sandbox.yard import Yard, abilities_of_each_rung

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the jails that are tested here are Linux's")

RUNGS = abilities_of_each_rung()
SCRIPT = Path(__file__).with_name("every_call.py").read_text("utf-8")
LIMITS = [name for name in dir(resource) if name.startswith("RLIMIT_")]


def picture_of_this_process() -> dict[str, object]:
    """What others could change of it, and what is shared by all processes."""
    shared = {name: Path(f"/proc/sysvipc/{name}").read_text("utf-8") for name in ("shm", "sem", "msg")}
    limits = [resource.getrlimit(getattr(resource, name)) for name in LIMITS]
    mine = {"limits": limits, "priority": os.getpriority(os.PRIO_PROCESS, 0), "processors": os.sched_getaffinity(0)}
    return {**shared, **mine}


async def make_every_call(rung: str) -> tuple[str, bool, bool]:
    """What it says in the end, and whether anything changed: files, this process."""
    yard = Yard.make()
    try:
        script = yard.base / "every_call.py"
        script.write_text(SCRIPT)
        files, process = yard.picture(), picture_of_this_process()
        runner = yard.runner(RUNGS[rung] if rung else None, "outside-read")
        command = f"python3 ../every_call.py {os.getpid() if rung else 0} 2>&1"
        result = await yard.run(runner, command, timeout=100, outside=[str(script)])
        return result.output, yard.picture() != files, picture_of_this_process() != process
    finally:
        yard.remove()


@pytest.mark.parametrize("rung", RUNGS)
def test_no_call_changes_a_file_or_another_process(rung: str) -> None:
    assert as_ordinary_user(lambda: make_every_call(rung)) == ("all made\n", False, False)


def test_the_same_calls_change_files_without_a_jail() -> None:
    assert as_ordinary_user(lambda: make_every_call(""), own_folders=WITH_DISK)[1:] == (True, False)
