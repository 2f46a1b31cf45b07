"""The scratch folders of sessions: private, apart, and gone with the session or the process, however that ends."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from planact.adapters.store.disk.process_folder import ProcessFolder, SessionScratch

KILLED = """
import os, signal, sys
from pathlib import Path
from planact.adapters.store.disk.process_folder import ProcessFolder
from planact.adapters.store.disk.process_folder import SessionScratch
path = Path(SessionScratch(Path("/ws"), ProcessFolder("planact-scratch-", Path(sys.argv[1]))).of("s"))
(path / "x").write_text("x")
os.kill(os.getpid(), signal.SIGKILL)
"""


def scratch(parent: Path, root: str = "/ws") -> tuple[ProcessFolder, SessionScratch]:
    folder = ProcessFolder("planact-scratch-", parent)
    return folder, SessionScratch(Path(root), folder)


def test_each_session_has_its_own_for_as_long_as_it_lasts(tmp_path: Path) -> None:
    folder, sessions = scratch(tmp_path)
    one, other = Path(sessions.of("one")), Path(sessions.of("other"))
    assert Path(sessions.of("one")) == one != other
    assert not one.is_relative_to(other)
    for path in (one, other, one.parent):
        assert path.stat().st_mode & 0o777 == 0o700
    (one / "a").write_text("a")
    (other / "b").write_text("b")
    sessions.remove("one")
    assert (one.exists(), (other / "b").read_text()) == (False, "b")
    assert Path(sessions.of("one")) != one
    sessions.clear()
    assert not other.exists()
    folder.clear()
    assert list(tmp_path.iterdir()) == []


def test_what_resists_is_removed(tmp_path: Path) -> None:
    folder, sessions = scratch(tmp_path)
    path = Path(sessions.of("s"))
    (path / "shut/in").mkdir(parents=True)
    (path / "shut").chmod(0)
    (path / "link").symlink_to("/")
    folder.clear()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed_and_what_is_in_use_stays(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, timeout=180)
    [left] = tmp_path.iterdir()
    assert [path.read_text() for path in left.rglob("x")] == ["x"]
    _, lively = scratch(tmp_path)
    used = Path(lively.of("s"))
    scratch(tmp_path)[0].clear_stale()
    assert (left.exists(), used.exists()) == (False, True)


def test_there_is_none_where_it_would_lie_in_the_workspace(tmp_path: Path) -> None:
    for root in (tmp_path, tmp_path.parent):
        assert scratch(tmp_path, str(root))[1].of("s") == ""
    assert list(tmp_path.iterdir()) == []


def test_one_that_was_taken_away_is_made_anew(tmp_path: Path) -> None:
    _, sessions = scratch(tmp_path)
    Path(sessions.of("s")).rmdir()
    assert Path(sessions.of("s")).is_dir()


def test_where_none_can_be_made_there_is_none(tmp_path: Path) -> None:
    assert scratch(tmp_path / "missing")[1].of("s") == ""


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("is_around", [False, True])
def test_one_that_a_link_took_the_place_of_is_made_anew_and_leads_nowhere(tmp_path: Path, *, is_around: bool) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "keep").write_text("x")
    victim.chmod(0o500)
    own = tmp_path / "own"
    own.mkdir()
    folder, sessions = scratch(own)
    path = Path(sessions.of("s"))
    taken = path.parent if is_around else path
    taken.rename(f"{taken}.old")
    taken.symlink_to(victim)
    again = Path(sessions.of("s"))
    assert again.resolve() == again
    assert again.is_dir()
    sessions.clear()
    folder.clear()
    assert ([each.name for each in victim.iterdir()], victim.stat().st_mode & 0o777) == (["keep"], 0o500)
