"""What goes wrong around planact, and what its user sees: the thing, the cause and the next step, by a stable code.

Nothing is lost: once the fault is gone, the plan is carried out as if nothing had been, and what is damaged is kept.
"""

import contextlib
import fcntl
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Ran
from tests.kill import verdict
from tests.kill.rig import APPROVED, PLAN_PATH, Rig, Zygote

pytestmark = pytest.mark.timeout(600)

ORDINARY = {"is_ordinary": True}

Order = Mapping[str, Any]


def state(rig: Rig) -> Path:
    (database,) = rig.home.rglob("state.db")
    return database


@contextmanager
def unwritable(*tops: Path) -> Iterator[Order]:
    paths = [path for top in tops for path in (top, *top.rglob("*"))]
    modes = {path: path.stat().st_mode for path in paths}
    for path in reversed(paths):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield ORDINARY
    for path in paths:
        path.chmod(modes[path])


@contextmanager
def full(folder: Path) -> Iterator[Order]:
    """Where `on_small_disk` could mount one, it is filled; elsewhere no file may grow any more."""
    if not folder.is_mount():
        yield {"largest_file": 4096}
        return
    filler = folder / "filler"
    with filler.open("wb") as file, contextlib.suppress(OSError):
        for size in (65536, 4096, 512, 1):
            with contextlib.suppress(OSError):
                while True:
                    os.write(file.fileno(), bytes(size))
    yield {}
    filler.unlink()


@contextmanager
def held(rig: Rig) -> Iterator[Order]:
    connection = sqlite3.connect(state(rig), isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield {}
    connection.close()


@contextmanager
def another_run(rig: Rig) -> Iterator[Order]:
    with state(rig).with_name("run.lock").open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("other.plan: Something else")
        file.flush()
        yield {}
        file.truncate(0)


@contextmanager
def left_name(rig: Rig) -> Iterator[Order]:
    """A lock that a dead process seems to have, as its name is still there."""
    state(rig).with_name("run.lock").write_text("other.plan: Something else")
    yield {}


def spoiled(path: Callable[[Rig], Path], damage: Callable[[Path], object]) -> Callable[[Rig], Any]:
    @contextmanager
    def spoil(rig: Rig) -> Iterator[Order]:
        damage(path(rig))
        yield {}

    return spoil


def empty_log(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def garbage(path: Path) -> None:
    empty_log(path)  # else the log has it all
    path.write_bytes(b"no database at all" * 500)


def headless(path: Path) -> None:
    empty_log(path)
    path.with_name("state.db-wal").unlink(missing_ok=True)
    path.with_name("state.db-shm").unlink(missing_ok=True)
    with path.open("r+b") as file:
        file.write(os.urandom(4096))


def cut(path: Path) -> None:
    empty_log(path)
    os.truncate(path, path.stat().st_size // 2)


def record(rig: Rig) -> Path:
    return next(path for path in (rig.folder / ".planact/executions").glob("*.json") if path.name != "index.json")


@dataclass(frozen=True)
class Fault:
    """`says` are words of what the user reads; `exit` 0 = it goes on all the same. `on` = what lies on a small disk."""

    bring_about: Callable[[Rig], AbstractContextManager[Order]]
    code: str
    says: tuple[str, ...]
    exit: int = 1
    on: str = ""
    is_damage: bool = False


FAULTS = {
    "the state folder is read-only": Fault(
        lambda rig: unwritable(state(rig).parent),
        "STORAGE_UNWRITABLE",
        ("open.lock", "Permission denied", "XDG_STATE_HOME"),
    ),
    "the workspace is read-only": Fault(
        lambda rig: unwritable(rig.folder), "STORAGE_UNWRITABLE", (".planact", "Permission denied", "permissions")
    ),
    ".planact is read-only": Fault(
        lambda rig: unwritable(rig.folder / ".planact"),
        "STORAGE_UNWRITABLE",
        (".planact", "Permission denied", "permissions"),
    ),
    "the disk of the state is full": Fault(
        lambda rig: full(rig.home / ".local"), "STORAGE_UNWRITABLE", ("/state/planact/", "Free space"), on="home/.local"
    ),
    "the disk of the workspace is full": Fault(
        lambda rig: full(rig.folder), "STORAGE_UNWRITABLE", (".planact", "Free space"), on="work"
    ),
    "another process holds the database": Fault(held, "STORAGE_BUSY", ("state.db", "locked", "fuser")),
    "another run has the folder": Fault(another_run, "BUSY", ("other.plan: Something else", "Wait for it")),
    "a dead process seems to have the lock": Fault(left_name, "", (), exit=0),
    "the database is garbage": Fault(
        spoiled(state, garbage), "STORAGE_DAMAGED", ("is kept as", "doctor --repair"), is_damage=True
    ),
    "the header of the database is overwritten, and its log is gone": Fault(
        spoiled(state, headless), "STORAGE_DAMAGED", ("is kept as", "doctor --repair"), is_damage=True
    ),
    "the database is cut off": Fault(
        spoiled(state, cut), "STORAGE_DAMAGED", ("is kept as", "doctor --repair"), is_damage=True
    ),
    "the database is empty": Fault(
        spoiled(state, lambda path: path.write_bytes(b"")),
        "STORAGE_DAMAGED",
        ("it is empty", "is kept as"),
        is_damage=True,
    ),
    "the log of the database is gone": Fault(
        spoiled(state, lambda path: path.with_name("state.db-wal").unlink()),
        "STORAGE_DAMAGED",
        ("its log is gone", "is kept as"),
        is_damage=True,
    ),
    "a record is garbage": Fault(
        spoiled(record, lambda path: path.write_bytes(b"{\xff")), "", ("can't be read", "it is kept as"), exit=0
    ),
}


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


@contextmanager
def on_small_disk(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(folder)]
    is_mounted = shutil.which("mount") and not subprocess.run(mount, check=False, capture_output=True).returncode
    try:
        yield
    finally:
        if is_mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True, timeout=180)


@pytest.fixture
def root() -> Iterator[Path]:
    made = Path(tempfile.mkdtemp(prefix="planact-fault-"))
    yield made
    shutil.rmtree(made)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_by_thing_cause_and_next_step_and_nothing_is_lost(
    root: Path, zygote: Zygote, name: str
) -> None:
    fault = FAULTS[name]
    with on_small_disk(root / fault.on) if fault.on else contextlib.nullcontext():
        if fault.on == "work" and not (root / fault.on).is_mount():
            pytest.skip("only root can mount a disk for the workspace alone; a limit of files is the state's, too")
        rig = Rig(root, zygote)
        assert rig.run("act", PLAN_PATH, "--hash", APPROVED, "--step", "1").code == 0
        files = verdict.files(rig)
        with fault.bring_about(rig) as order:
            ran = rig.run("act", PLAN_PATH, "--hash", APPROVED, "--answers", str(rig.home / "answers.yaml"), **order)
        assert not (found := problems(fault, ran)), "\n".join(found)
        if fault.exit:
            assert verdict.files(rig) == files
        if fault.is_damage:
            (kept, *_) = sorted(rig.home.rglob("state.db.damaged-*"))
            assert f"kept as {kept}" in rig.run("doctor", "--repair").out
            assert rig.act().code == 0
            assert [
                row["text"] for row in rig.run("doctor", "--json").json["findings"] if row["state"] == "problem"
            ] == []
        elif fault.exit:
            assert list(verdict.after_resume(rig, rig.act(), set())) == []


def problems(fault: Fault, ran: Ran) -> list[str]:
    found = [] if ran.code == fault.exit else [f"it ended with {ran.code}"]
    found += [f"not said: {words}" for words in (*fault.says, fault.code) if words not in ran.err]
    return [*found, ran.err[-1_500:]] if found else []


@pytest.mark.parametrize("limit", [9_000, 50_000, 100_000, 200_000, 300_000, 400_000])
def test_a_disk_that_is_full_in_the_middle_of_a_run_stops_it_in_good_order(
    root: Path, zygote: Zygote, limit: int
) -> None:
    rig = Rig(root, zygote)
    ran = rig.act(largest_file=limit)
    if ran.code:
        assert "INTERNAL_ERROR" not in ran.out + ran.err, ran.err
        assert [code for code in ("STORAGE_UNWRITABLE", "EDIT_REFUSED") if code in ran.out + ran.err] != [], ran
    assert list(verdict.after_kill(rig)) == []
    assert list(verdict.after_resume(rig, rig.act(), verdict.open_questions(rig))) == []
