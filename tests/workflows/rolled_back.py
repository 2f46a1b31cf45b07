"""A plan whose steps change files in every way, and its rollback."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from planact.base.errors import PlanactError
from planact.workflows.undo.roll_back import RollbackTarget, RolledBackRuns, roll_back
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import PATH, SAID, Scene

THREE = """---
format_version: "1.0"
id: plan_20261120_aaaa
---
# Greet

## Steps
- [ ] 1. One
  - reason: r
  - files: a.txt, old.txt, sub/new.txt, moved.txt
  - check: `true`
- [ ] 2. Two
  - reason: r
  - files: a.txt, b.txt
  - check: `true`
"""

CHANGE_A = calls(call("update_file", path="a.txt", edits=[{"old": "one", "new": "two"}]))
AGAIN_A = calls(call("update_file", path="a.txt", edits=[{"old": "two", "new": "three"}]))
ALL_KINDS = (
    calls(
        call("update_file", "c1", path="a.txt", edits=[{"old": "one", "new": "two"}]),
        call("delete_file", "c2", path="old.txt"),
        call("create_file", "c3", path="sub/new.txt", content="new\n"),
        call("rename_file", "c4", path="name.txt", new_path="moved.txt"),
    ),
    SAID,
)
YES = answer(approval="allow_once")


def scene(root: Path, *turns: Turn, plan: str = THREE) -> Scene:
    it = Scene(root, *turns)
    it.write_plan(plan)
    it.world.write("a.txt", "one\n")
    (root / "a.txt").chmod(0o755)
    it.world.write("old.txt", "old\n")
    (root / "old.txt").chmod(0o700)
    it.world.write("name.txt", "name\n")
    return it


def back(it: Scene, step: int | None = None, *, run: str = "", plan: str = PATH, asks: bool = False) -> RolledBackRuns:
    wanted = RollbackTarget(run, "" if run else plan, step)
    return asyncio.run(roll_back(it.ws, it.session_id, wanted, is_confirmed=not asks))


def files(root: Path) -> dict[str, tuple[bytes, int]]:
    """All but planact's own, with modes; folders with a slash."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if not name.startswith((".planact", ".git")):
            data = b"" if path.is_dir() else path.read_bytes()
            found[name + "/" * path.is_dir()] = (data, 0 if path.is_dir() else path.stat().st_mode & 0o777)
    return found


def refused(it: Scene, *args: object, **more: object) -> tuple[str, str]:
    before = files(it.world.root)
    with pytest.raises(PlanactError) as caught:
        back(it, *args, **more)  # type: ignore[arg-type]
    assert files(it.world.root) == before
    return caught.value.code, caught.value.message


def in_git(root: Path) -> None:
    for words in (["init", "-q"], ["add", "-A"], ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "c"]):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, timeout=180)
