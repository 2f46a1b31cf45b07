"""What covering a command on trial takes of the processor, before it and after it, git's share included.

Of a repository of 50,000 files a hundredth is changed by the command; another has dependencies of 100,000 files beside.
"""

import resource
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from planact.workflows.workspace import Workspace
from tests.bench.calls import opened
from tests.bench.row import Room, Row
from tests.bench.trees import grow


def bench(room: Room) -> Iterator[Row]:
    for files, dependencies, goal in (
        (room.pick(50_000, 200), 0, "< 600"),
        (room.pick(2_000, 100), room.pick(100_000, 200), "< 1200"),
    ):
        root = a_repository(room, f"with {dependencies}", files, dependencies)
        changed = [path for path in (root / "src").rglob("module_*.py") if path.name.endswith("07.py")]
        ours = opened(root)
        first, later, raw = [], [], []
        for _ in range(room.pick(7, 1)):
            new = opened(root)
            began = used()
            assert new.ports.footprints.can_try()
            first.append(used() - began + around(new, changed))
            later.append(around(ours, changed))
            raw.append(status_twice(root))
        what = f"{files:,} tracked files" + (f" and node_modules of {dependencies:,}" if dependencies else "")
        yield Row(f"cover a command, {what}", "ms", later, raw, "git status twice", goal)
        yield Row(f"cover the first command of a process, {what}", "ms", first, raw, "git status twice")


def a_repository(room: Room, name: str, files: int, dependencies: int) -> Path:
    root = room.make(name)
    grow(root / "src", files)
    if dependencies:
        grow(root / "node_modules", dependencies)
    (root / ".gitignore").write_text("node_modules/\n__pycache__/\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run(
            ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.org", *words], cwd=root, check=True
        )
    return root


def around(workspace: Workspace, changed: Sequence[Path]) -> float:
    """What a look before a command that changes files, and one after it, take."""
    began = used()
    before = workspace.ports.footprints.trial(())
    spent = used() - began
    for path in changed:
        with path.open("ab") as file:
            file.write(b"# changed\n")
    began = used()
    assert len(before.found()) == len(changed)
    return spent + used() - began


def status_twice(root: Path) -> float:
    began = used()
    for _ in range(2):
        subprocess.run(
            ["git", "--no-optional-locks", "status", "--porcelain"], cwd=root, check=True, capture_output=True
        )
    return used() - began


def used() -> float:
    """Milliseconds of the processor that this process took, and the programs that it started."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent) * 1_000
