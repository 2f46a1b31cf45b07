"""A command that is tied to a process ends with it, also when that is killed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from planact.adapters.sandbox.limits.scratch import remove_folder
from planact.adapters.sandbox.runner.parent_watchdog import _WATCH

_STARTS = """
import subprocess, sys, time
from planact.adapters.sandbox.runner.parent_watchdog import end_with_parent
own = {"PLANACT_COMMAND": sys.argv[2]}
with end_with_parent("PLANACT_COMMAND", sys.argv[2]) as tell:
    shell = subprocess.Popen(["/bin/sh", "-c", sys.argv[1]], start_new_session=True, env=own)
    if "early" not in sys.argv:
        tell(shell.pid)
    print(shell.pid, flush=True)
    sys.stdin.readline()
print("over", flush=True)
shell.kill()
time.sleep(600)
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what left the session is found by /proc")


def running(folder: Path) -> int:
    found = 0
    for process in psutil.process_iter():
        try:
            found += process.cwd() == str(folder) and process.name() == "sleep"
        except psutil.Error:
            continue
    return found


def begin(folder: Path, path: str = os.environ["PATH"], *more: str) -> "subprocess.Popen[str]":
    """A command that is tied until a line is written to the process."""
    command = f"cd {folder}; sleep 600 & setsid sleep 610 & wait"
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            _STARTS,
            command,
            folder.name,
            *more,
        ],  # a token of its own, or another's watcher ends it
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd="/",
        env={**os.environ, "PATH": path},
    )
    assert process.stdout is not None
    process.stdout.readline()
    wait_until(folder, 2)
    return process


def wait_until(folder: Path, count: int) -> None:
    end = time.monotonic() + 180
    while running(folder) != count:
        assert time.monotonic() < end, running(folder)
        time.sleep(0.02)


@pytest.mark.parametrize("when", ["early", "late"])
def test_all_that_a_command_started_ends_when_its_process_is_killed(tmp_path: Path, when: str) -> None:
    """Early is before the watcher was told which shell it is."""
    process = begin(tmp_path, os.environ["PATH"], when)
    process.kill()
    process.communicate(timeout=180)
    wait_until(tmp_path, 0)


_BESIDE = """
sleep 600 & beside=$!
printf %s "$2" | sh -c "$1" sh ""
kill -0 "$beside" && echo "what is beside goes on"
"""


@pytest.mark.parametrize("told", ["", "PLANACT", "PLANACT_COMMAND="])
def test_where_it_was_killed_before_it_told_the_watcher_nothing_else_ends(told: str) -> None:
    """In a namespace of its own, since each process with a part of that in its environment would be killed."""
    words = ["bwrap", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--die-with-parent"]
    environment = {**os.environ, "PLANACT_COMMAND": "another"}
    ran = subprocess.run(
        [*words, "sh", "-c", _BESIDE, "sh", _WATCH, told], env=environment, capture_output=True, text=True, timeout=60
    )
    assert ran.stdout == "what is beside goes on\n"


def test_no_program_of_the_users_path_takes_part_in_it(tmp_path: Path) -> None:
    programs = fakes(tmp_path / "bin", "cat", "grep", "sleep")
    (folder := tmp_path / "work").mkdir()
    process = begin(folder, f"{programs}:/usr/bin:/bin")
    process.kill()
    process.communicate(timeout=180)
    wait_until(folder, 0)
    assert {path.name for path in programs.iterdir()} == {"cat", "grep", "sleep"}


def test_no_program_of_the_users_path_removes_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = fakes(tmp_path / "bin", "chmod", "rm")
    (tmp_path / "gone/deep").mkdir(parents=True)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    remove_folder(tmp_path / "gone")
    assert not (tmp_path / "gone").exists()
    assert {path.name for path in programs.iterdir()} == {"chmod", "rm"}


def fakes(folder: Path, *names: str) -> Path:
    """Programs that leave a mark beside them when somebody starts them."""
    folder.mkdir()
    for name in names:
        (folder / name).write_text(f'#!/bin/sh\n: > "$0.started"\nexec /usr/bin/{name} "$@"\n')
        (folder / name).chmod(0o755)
    return folder


def test_what_goes_on_after_the_tie_is_left_alone(tmp_path: Path) -> None:
    process = begin(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.stdout.readline() == "over\n"
    process.kill()
    process.wait(180)
    process.stdin.close()
    process.stdout.close()
    time.sleep(0.3)
    left = running(tmp_path)
    for each in psutil.process_iter():
        try:
            if each.cwd() == str(tmp_path):
                os.kill(each.pid, signal.SIGKILL)
        except psutil.Error:
            continue
    assert left == 2, "the watcher was told that it is over"
