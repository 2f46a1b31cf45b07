"""Calls of commands on trial that planact makes for them: they mean what they mean to the command, and nothing else."""

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from planact.adapters.sandbox.runner.command_runner import CommandRunner
from tests.sandbox.trial.ground import on_ground, try_out
from tests.sandbox.yard import Yard

pytestmark = pytest.mark.parametrize("jail", ["landlock"], indirect=True)

NAMED = """
import ctypes, os
ctypes.CDLL(None).prctl(15, {name!r}, 0, 0, 0)
os.fchmod(os.open("src/inner.py", os.O_RDONLY), 0o711)
print(oct(os.stat("src/inner.py").st_mode & 0o777))
"""


@pytest.mark.parametrize("name", [b"a\x0bTgid:\t1", b"\xc3\xff\xfe", b"a\nTgid:\t1", b"a\x1eTgid:\t1"])
def test_a_descriptor_is_the_command_s_whatever_it_calls_itself(name: bytes) -> None:
    async def run(yard: Yard, runner: CommandRunner) -> str:
        (yard.workspace / "d" / "named.py").write_text(NAMED.format(name=name))
        return (await try_out(runner, yard, "python3 d/named.py")).output

    assert on_ground(run) == "0o711\n"


OWN_NAMES = (
    "exec 3< src/inner.py; chmod 711 /proc/self/fd/3",
    "exec 3< src/inner.py; chmod 711 /dev/fd/3",
    "exec 3< src/inner.py; chmod 711 /proc/thread-self/fd/3",
    "exec 3< src; python3 -c 'import os; os.chmod(\"inner.py\", 0o711, dir_fd=3)'",
    "ln -s ../src/inner.py d/link && chmod 711 d/link",
    "ln -s ../src d/folder && chmod 711 d/folder/inner.py",
)


@pytest.mark.parametrize("command", OWN_NAMES)
def test_names_of_own_files_mean_what_they_mean_to_the_command(command: str) -> None:
    async def run(yard: Yard, runner: CommandRunner) -> tuple[str, int]:
        result = await try_out(runner, yard, command)
        return result.output, (yard.workspace / "src/inner.py").stat().st_mode & 0o777

    assert on_ground(run) == ("", 0o711)


ELSEWHERE = """
mount -t tmpfs none WORK/d && echo x > WORK/d/file && chmod 600 WORK/d/file && cd WORK/d && echo ready && exec sleep 60
"""
WAYS_TO_IT = (
    "chmod 777 /proc/PID/root/WORK/d/file; touch -d 2001-01-01 /proc/PID/root/WORK/d/file",
    "python3 -c 'import os; os.chmod(\"/proc/PID/root/WORK/d/file\", 0o777)'",
    "chmod 777 /proc/PID/cwd/file; touch -d 2001-01-01 /proc/PID/cwd/file",
    "ln -s /proc/PID/root/WORK/d src/link; chmod 777 src/link/file; touch -d 2001-01-01 src/link/file",
)


@contextlib.contextmanager
def other_mounts(yard: Yard) -> Iterator[int]:
    """Yield a process of the same user with a folder of its own at `d`, or 0 where no user may mount."""
    line = ELSEWHERE.replace("WORK", str(yard.workspace))
    with subprocess.Popen(("unshare", "-rm", "sh", "-c", line), stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        try:
            yield other.pid if other.stdout.readline() == "ready\n" else 0
        finally:
            other.kill()


@pytest.mark.parametrize("stays_root", [False, True])
@pytest.mark.parametrize("way", WAYS_TO_IT)
def test_files_of_the_same_name_among_other_mounts_stay_as_they_are(way: str, *, stays_root: bool) -> None:
    async def change(yard: Yard, runner: CommandRunner) -> tuple[str, str] | None:
        with other_mounts(yard) as process:
            if not process:
                return None
            file = Path(f"/proc/{process}/root{yard.workspace}/d/file")
            before = look(file)
            await try_out(runner, yard, way.replace("PID", str(process)))
            return before, look(file)

    found = on_ground(change, stays_root=stays_root)
    if found is None:
        pytest.skip("this machine lets no user mount")
    assert found[0] == found[1]


def look(file: Path) -> str:
    status = file.stat()
    return f"{status.st_mode:o} {status.st_mtime_ns}"
