"""Unknown commands set modes and times of what they made in their throw-away folders, as tests do that copy files, and
of nothing else.
"""

import os
import platform
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.adapters.sandbox.linux.kernel import Kernel
from planact.adapters.sandbox.linux.seccomp import FilterLimits, bar_thread, install_filter, make_filter
from planact.adapters.sandbox.linux.syscalls import MACHINES
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import HOLDING_UNKNOWN, Yard, abilities_of_each_rung

RUNGS = {name: rung for name, rung in abilities_of_each_rung().items() if name in HOLDING_UNKNOWN}

pytestmark = pytest.mark.skipif(not RUNGS, reason="nothing here holds unknown commands")

COPIES = """python3 -c '
import os, shutil, subprocess, tempfile
folder = tempfile.mkdtemp()
os.chmod(shutil.copy2("f", folder), 0o751)
os.utime(f"{folder}/f", (1, 1))
os.chown(f"{folder}/f", os.getuid(), os.getgid())
subprocess.run(["cp", "-a", folder, f"{folder}.copied"], check=True)
status = os.stat(f"{folder}.copied/f")
print(oct(status.st_mode), status.st_mtime)
'"""

OTHERS = (
    "chmod 777 f",
    "touch -d 2001-01-01 f",
    "ln -s $PWD/f $TMPDIR/link && chmod 777 $TMPDIR/link",
    "ln -s $PWD $TMPDIR/folder && chmod 777 $TMPDIR/folder/f",
    "exec 3< f; chmod 777 /proc/self/fd/3",
    "cd $TMPDIR && mkdir d && chmod 777 d/../../../../../../..$OLDPWD/f",
    "chmod 777 $HOME/../..",
    "echo > $TMPDIR/run && chmod 4755 $TMPDIR/run",
    "echo > $TMPDIR/given && chown 12345 $TMPDIR/given",
)


@pytest.mark.parametrize("stays_root", [False, True])
@pytest.mark.parametrize("rung", RUNGS)
def test_modes_and_times_of_own_files_can_be_set(rung: str, stays_root: bool) -> None:
    assert outputs(rung, [COPIES], stays_root=stays_root) == ["0o100751 1.0\n"]


@pytest.mark.parametrize("stays_root", [False, True])
@pytest.mark.parametrize("rung", RUNGS)
def test_those_of_others_stay(rung: str, stays_root: bool) -> None:
    tried = [f"({command}) 2>/dev/null && echo changed" for command in OTHERS]
    tried += ["chmod 667 /dev/null"]
    *of_others, _ = outputs(rung, tried, stays_root=stays_root)
    assert dict(zip(OTHERS, of_others, strict=True)) == dict.fromkeys(OTHERS, "")


def test_they_stay_too_where_a_jail_around_this_one_is_asked_already() -> None:
    def surround() -> None:
        kernel, machine = Kernel(), MACHINES[platform.machine()]
        kernel.forbid_new_privileges()
        limits = FilterLimits(is_read_only=False, network="none", asks_for_network=True)
        install_filter(kernel, machine, bar_thread(make_filter(machine, limits), os.getpid()), listens=True)

    made = outputs(next(iter(RUNGS)), ["echo > $TMPDIR/f; chmod 600 $TMPDIR/f 2>/dev/null || echo refused"], surround)
    assert made == ["refused\n"]


def outputs(
    rung: str, commands: list[str], before: Callable[[], object] = lambda: None, *, stays_root: bool = False
) -> list[str]:
    async def run() -> list[str]:
        before()
        yard = Yard.make()
        try:
            kept = look(yard)
            runner = yard.runner(RUNGS[rung], "contain")
            found = [(await yard.run(runner, command)).output for command in commands]
            assert look(yard) == kept
            return found
        finally:
            yard.remove()

    return as_ordinary_user(run, stays_root=stays_root)


def look(yard: Yard) -> list[tuple[Path, int, float]]:
    found = [(path, path.stat()) for path in yard.workspace.iterdir()]
    return [
        *((path, status.st_mode, status.st_mtime) for path, status in found),
        (Path("/dev/null"), Path("/dev/null").stat().st_mode, 0),
    ]
