import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from planact.adapters.store.disk.lock import FileLock, exclusive
from planact.base.errors import StorageFailure

HOLD = """
import signal, sys
from pathlib import Path
from planact.adapters.store.disk.lock import FileLock
lock = FileLock(Path(sys.argv[1]), str)
print(lock.acquire("the other process"), flush=True)
signal.pause()
"""


def test_the_lock_ends_with_the_process_that_has_it(tmp_path: Path) -> None:
    path = tmp_path / "state" / "run.lock"
    lock = FileLock(path, str)
    child = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "\n"
    assert lock.acquire("me") == "the other process"
    child.send_signal(signal.SIGKILL)
    child.communicate(timeout=180)
    assert lock.acquire("me") == ""
    assert path.read_text() == "me"
    lock.release()
    assert path.read_text() == ""


def test_the_holder_is_whoever_has_the_lock_now(tmp_path: Path) -> None:
    path = tmp_path / "state" / "run.lock"
    lock = FileLock(path, str)
    assert (lock.holder(), path.parent.exists()) == ("", False)
    child = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "\n"
    assert (lock.holder(), lock.holder(), lock.is_own()) == ("the other process", "the other process", False)
    child.send_signal(signal.SIGKILL)
    child.communicate(timeout=180)
    assert (lock.holder(), path.read_text()) == ("", "")
    assert lock.acquire("me") == ""  # to have looked took nothing away
    assert (lock.holder(), lock.is_own()) == ("me", True)
    lock.release()
    assert (lock.holder(), lock.is_own()) == ("", False)


def test_a_command_that_runs_on_does_not_keep_the_lock(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "run.lock", str)
    lock.acquire("me")
    child = subprocess.Popen(["sleep", "30"])
    lock.release()
    other = FileLock(tmp_path / "run.lock", str)
    assert other.acquire("other") == ""
    other.release()
    child.kill()
    child.wait(timeout=180)


def test_a_lock_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageFailure) as caught:
        FileLock(tmp_path / "file" / "run.lock", str).acquire("me")
    assert caught.value.code == "STORAGE_UNWRITABLE"


def test_whoever_only_looks_keeps_nobody_from_a_lock_that_a_dead_process_left(tmp_path: Path) -> None:
    """It is held up between trying the lock and wiping the name, as on a busy machine."""
    path = tmp_path / "run.lock"
    path.write_text("a run that was killed")
    lock = FileLock(path, str)
    with ThreadPoolExecutor(1) as pool:
        with exclusive(path.with_name("run.lock.gate"), 1), exclusive(path, 1) as looker:
            taking = pool.submit(lock.acquire, "me")
            assert wait([taking], timeout=0.1).done == set()
            os.ftruncate(looker, 0)
        assert taking.result(timeout=180) == ""
    assert path.read_text() == "me"
    lock.release()
