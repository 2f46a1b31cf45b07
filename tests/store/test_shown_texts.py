import os
import subprocess
import sys
from pathlib import Path

from planact.adapters.store.disk.process_folder import ProcessFolder, ShownTexts

KILLED = """
import os, signal, sys
from pathlib import Path
from planact.adapters.store.disk.process_folder import ProcessFolder
from planact.adapters.store.disk.process_folder import ShownTexts
ShownTexts(ProcessFolder("planact-", Path(sys.argv[1]))).write("a.md", "a")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_texts_of_one_name_are_kept_apart_and_go_together(tmp_path: Path) -> None:
    folder = ProcessFolder("planact-", tmp_path)
    shown = ShownTexts(folder)
    one, other = shown.write("a.md", "one\n"), shown.write("a.md", "other\r\n")
    assert [(path.name, path.read_bytes(), path.stat().st_mode & 0o777) for path in (one, other)] == [
        ("a.md", b"one\n", 0o400),
        ("a.md", b"other\r\n", 0o400),
    ]
    assert one.parent.parent.stat().st_mode & 0o077 == 0
    folder.clear()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    subprocess.run(command, check=False, timeout=180)
    [left] = tmp_path.iterdir()
    lively, foreign = ShownTexts(ProcessFolder("planact-", tmp_path)), tmp_path / "planact-x"
    kept = lively.write("b.md", "b")
    foreign.mkdir()
    (tmp_path / "planact-link").symlink_to(left)
    ProcessFolder("planact-", tmp_path).clear_stale()
    assert not left.exists()
    assert kept.read_text() == "b"
    assert foreign.exists()


def test_a_parent_that_cannot_be_read_is_no_matter(tmp_path: Path) -> None:
    ProcessFolder("planact-", tmp_path / "nowhere").clear_stale()
    os.mkfifo(tmp_path / "planact-pipe")
    ProcessFolder("planact-", tmp_path).clear_stale()
