"""A command on trial whose planact is killed leaves nothing that isn't shown: the next start finds all it changed, and
after a no the folder is as before, to the byte and mode.

The real program in real processes, with bubblewrap.
"""

import json
import os
import random
import secrets
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from planact.adapters.sandbox.choose import probe
from planact.plan.approval import approval_hash
from tests.cli.program import Program
from tests.fakes.zygote import Zygote
from tests.soak import times

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.soak,
    pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap"),
]

PLAN_PATH = ".planact/plans/plan_20261120_tttt-try.plan"
PLAN = """---
format_version: "1.0"
id: plan_20261120_tttt
status: draft
---
# Try

## Steps
- [ ] 1. Write a word
  - reason: a command helps
  - tools: create_file, execute_command
  - files: a.txt
  - check: `grep -q word a.txt`
"""
SCRIPT = """
import os, shutil, sys
os.remove("gone.py")
shutil.rmtree("old")
os.rename("pkg", "moved")
os.chmod("tool.sh", 0o777)
open("lib.py", "a").write("evil = 1\\n")
open("notes.txt", "w").write("overwritten\\n")
os.makedirs("new/deep", exist_ok=True)
open("new/deep/file", "w").write("x")
os.symlink("/etc/passwd", "link")
open("package.json", "w").write("{}")
open(".envrc", "w").write("evil")
os.makedirs("build/sub", exist_ok=True)
open("build/sub/CLAUDE.md", "w").write("evil")
open(os.path.expandvars("$TMPDIR/done"), "w").close()
if sys.argv[1:] == ["wait"]:
    open("begun", "w").close()
    import time
    time.sleep(600)
"""
CALLS = [
    [{"tool": "create_file", "args": {"path": "a.txt", "content": "word\n"}}],
    [{"tool": "execute_command", "args": {"command": "python3 gen.py"}}],
]


class Room:
    """A repository, a home, and a model that writes a file and runs a script."""

    def __init__(self, root: Path, line: str = "python3 gen.py") -> None:
        self.folder, self.home = root / "work", root / "home"
        self.home.mkdir(parents=True)
        texts = {
            "gen.py": SCRIPT,
            "gone.py": "gone = 1\n",
            "old/a": "a\n",
            "old/b/c": "c\n",
            "pkg/m.py": "m = 1\n",
            "tool.sh": "true\n",
            "lib.py": "lib = 1\n",
            ".gitignore": "build/\n.envrc\n.planact/\n",
        }
        for name, text in {**texts, PLAN_PATH: PLAN}.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
            subprocess.run([*git, *words], cwd=self.folder, check=True)
        (self.folder / "notes.txt").write_text("mine, in no git\n")
        (self.folder / "lib.py").write_text("lib = 2\n")
        scene = {"mode": "act", "when": "Carry out step 1 ", "turns": [*({"calls": some} for some in CALLS)]}
        scene["turns"] = json.loads(json.dumps([*scene["turns"], {"say": "Done."}]).replace("python3 gen.py", line))
        (self.home / "model.yaml").write_text(yaml.safe_dump({"scenes": [scene]}))
        self.answer("discard")
        self.environment = {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "PLANACT_MODEL": f"scripted:{self.home / 'model.yaml'}",
        }
        self.words = ["act", PLAN_PATH, "--hash", approval_hash(PLAN), "--answers", str(self.home / "answers.yaml")]
        assert Program(self.folder, self.home).run("trust").code == 0
        self.before = shown(self.folder)

    def answer(self, outcome: str) -> None:
        answers = [{"match": "^outcome$", "answer": outcome}, {"match": "^interrupted$", "answer": "again"}]
        (self.home / "answers.yaml").write_text(yaml.safe_dump(answers))

    def start(self) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", "planact", *self.words]
        return subprocess.Popen(words, cwd=self.folder, env=self.environment, stdout=-1, stderr=-1)

    def changed(self) -> dict[str, object]:
        """What differs from before, but for the file that the step names and a line of it."""
        after = shown(self.folder)
        found = {path for path in self.before | after if self.before.get(path) != after.get(path)}
        return {path: after.get(path) for path in found if path not in ("a.txt", "build", "build/sub")}


def shown(root: Path) -> dict[str, tuple[object, ...]]:
    """Type, mode and content of all but git's own and planact's."""
    found: dict[str, tuple[object, ...]] = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", ".planact")]
        for name in (*folders, *names):
            path = Path(folder, name)
            try:
                mode = path.lstat().st_mode
            except FileNotFoundError:  # the end of a jail took a mount point of its own away
                continue
            content = str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else b""
            found[str(path.relative_to(root))] = (stat.S_IFMT(mode), 0 if path.is_symlink() else mode & 0o777, content)
    return found


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 180
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def root() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="planact-kill-") as folder:
        yield Path(folder).resolve()


def killed_midway(room: Room) -> None:
    process = room.start()
    wait_until((room.folder / "begun").exists)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    wait_until(lambda: any(room.home.rglob("trial.ended")))


@pytest.mark.parametrize("is_record_empty", [False, True])
def test_killed_while_the_command_runs_all_it_did_goes_back_after_a_no(root: Path, *, is_record_empty: bool) -> None:
    """The record of a run that goes on isn't synced to the disk, so that it may be empty when the machine stops."""
    room = Room(root, "python3 gen.py wait")
    killed_midway(room)
    [record] = [path for path in (room.folder / ".planact/executions").glob("*.json") if path.name != "index.json"]
    if is_record_empty:
        record.write_bytes(b"")
    assert {"gone.py", "old", "pkg", "lib.py", "notes.txt", "new", "link", "package.json"} <= room.changed().keys()
    model = room.home / "model.yaml"
    model.write_text(model.read_text().replace("gen.py wait", "gen.py --version >/dev/null; true"))
    again = room.start()
    output, errors = again.communicate()
    assert again.returncode == 0, (output.decode()[-2_000:], errors.decode()[-2_000:])
    left = room.changed()
    assert left == {}, left
    assert json.loads(record.read_text())["status"] == "aborted"


def test_what_the_user_did_after_the_kill_stays(root: Path) -> None:
    room = Room(root, "python3 gen.py wait")
    killed_midway(room)
    marker = next(room.home.rglob("trial.ended"))
    time.sleep(max(0.0, marker.stat().st_mtime + 1.1 - time.time()))
    mine = {"lib.py": "mine\n", "new/deep/file": "mine\n", "CLAUDE.md": "mine\n", "notes.txt": "mine\n"}
    for name, text in mine.items():
        (room.folder / name).write_text(text)
    model = room.home / "model.yaml"
    model.write_text(model.read_text().replace("python3 gen.py wait", "true"))
    again = room.start()
    output, errors = again.communicate()
    assert again.returncode == 0, (output.decode()[-2_000:], errors.decode()[-2_000:])
    left = {path: content for path, (*_, content) in room.changed().items() if content}
    assert left == {path: text.encode() for path, text in mine.items()}
    assert "lib.py" in errors.decode(), "what the user may have changed is told"


def test_where_nobody_noted_when_it_ended_what_is_too_large_to_be_told_apart_stays(root: Path) -> None:
    room = Room(root, "truncate -s 80000000 large.sh; python3 gen.py wait")
    killed_midway(room)
    for marker in [*room.home.rglob("trial.ended")]:
        marker.unlink()  # as when the machine stopped
    model = room.home / "model.yaml"
    model.write_text(model.read_text().replace("truncate -s 80000000 large.sh; python3 gen.py wait", "true"))
    again = room.start()
    output, errors = again.communicate()
    assert again.returncode == 0, (output.decode()[-2_000:], errors.decode()[-2_000:])
    assert room.changed().keys() == {"large.sh"}
    assert "large.sh stayed" in errors.decode()


def test_killed_at_any_point_all_it_did_goes_back_after_a_no(root: Path) -> None:
    zygote = Zygote()
    try:
        whole = Room(root / "whole")
        assert run(zygote, whole, ("before", 10**9)) == 0
        assert whole.changed() == {}
        entries = int((whole.home / "output.count").read_text())
        run(zygote, lined := Room(root / "lines"), ("line", 10**9))
        lines = int((lined.home / "output.count").read_text())
        moments = [(kind, number) for kind in ("before", "after") for number in range(1, entries + 1)]
        moments = random.sample(moments, min(len(moments), times(3, 1_000)))
        moments += [("line", number) for number in random.sample(range(1, lines), times(2, 300))]
        wrong = {}
        for kind, number in moments:
            room = Room(root / secrets.token_hex(4))
            run(zygote, room, (kind, number))
            code, left = run(zygote, room, None), room.changed()
            # It had answered before it was killed, or there was nothing left to do.
            if left or code not in (0, 1):
                wrong[kind, number] = code, left
        assert wrong == {}
    finally:
        zygote.close()


def test_killed_while_files_are_added_to_the_plan_the_next_run_ends_it(root: Path) -> None:
    zygote = Zygote()
    try:
        run(zygote, whole := Amending(root / "whole"), ("before", 10**9))
        assert "files: a.txt, setup.sh" in whole.plan()
        entries = int((whole.home / "output.count").read_text())
        moments = [(kind, number) for kind in ("before", "after") for number in range(entries // 2, entries + 1)]
        moments = [("approval", 2), *random.sample(moments, min(len(moments), times(2, 1_000)))]
        for moment in moments:
            room = Amending(root / secrets.token_hex(4))
            assert run(zygote, room, moment) == -signal.SIGKILL, moment
            text = room.plan()
            room.words[3] = approval_hash(text)
            assert run(zygote, room, None) == 0, (moment, (room.home / "output.err").read_text())
            assert "files: a.txt, setup.sh" in room.plan(), moment
            assert (room.folder / "setup.sh").read_text() == "true\nmore\n", moment
            assert "- [x] 1." in room.plan(), moment
    finally:
        zygote.close()


class Amending(Room):
    """A model whose script changes a file that the user then adds to the plan."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, "python3 add.py")
        (self.folder / "setup.sh").write_text("true\n")
        (self.folder / "add.py").write_text("open('setup.sh', 'w').write('true\\nmore\\n')\n")
        subprocess.run(["git", "add", "-A"], cwd=self.folder, check=True)
        self.answer("add_to_plan")

    def plan(self) -> str:
        return (self.folder / PLAN_PATH).read_text()


def run(zygote: Zygote, room: Room, moment: tuple[str, int] | None) -> int:
    output = str(room.home / "output")
    order = {"words": room.words, "folder": str(room.folder), "environment": room.environment, "output": output}
    return zygote.run(**order, **({"moment": moment} if moment else {}))
