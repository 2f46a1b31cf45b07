"""What covering a command on trial takes of the processor, before it and after it, git's share included.

The first of a process is asked about, looked at and judged, as in a turn with one command. A hundredth of the files is
changed by it; one repository has dependencies of 100,000 files beside.
"""

import resource
import statistics
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from planact.workflows.workspace import Workspace
from tests.bench.calls import opened
from tests.bench.row import Room, Row
from tests.bench.trees import git, kept_repository

SIZES = ((5_000, 0, 7, ""), (50_000, 0, 7, "< 300"), (500_000, 0, 2, "< 2000"), (2_000, 100_000, 7, "< 1200"))
"""Tracked files, files in node_modules, runs, and the goal for the first command of a process."""


def bench(room: Room) -> Iterator[Row]:
    took: dict[int, tuple[float, float]] = {}
    for files, dependencies, runs, goal in room.pick(SIZES, ((200, 0, 1, ""), (100, 200, 1, ""))):
        root = kept_repository(files, dependencies)
        changed = [path for path in (root / "src").rglob("module_*.py") if path.name.endswith("07.py")]
        first, later, same, raw = [], [], [], []
        for _ in range(runs):
            new = opened(root)
            began = used()
            assert new.ports.footprints.can_try()
            first.append(used() - began + around(new, changed))
            later.append(around(new, changed))
            same.append(around(new, ()))
            raw.append(status_twice(root))
            git(root, "checkout", "-q", "--", ".")
        what = f"{files:,} tracked files" + (f" and node_modules of {dependencies:,}" if dependencies else "")
        yield Row(f"cover the first command of a process, {what}", "ms", first, raw, "git status twice", goal)
        yield Row(f"cover a command, {what}", "ms", later, raw, "git status twice", goal)
        yield Row(f"cover a command that changes nothing, {what}", "ms", same, raw, "git status twice")
        if not dependencies:
            took[files] = statistics.median(first), statistics.median(same)
    fewest, most = min(took), max(took)
    for what, small, large in zip(("first", "later"), took[fewest], took[most], strict=True):
        if fewest != most:
            slope = (large - small) / (most - fewest) * 1_000
            yield Row(f"cover a {what} command, from {fewest:,} to {most:,} files", "ms more per 1,000", [slope])


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
