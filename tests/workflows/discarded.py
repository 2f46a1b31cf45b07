"""What a command on trial did, put back by undo's own road, and a folder as one sees it before and after."""

import asyncio
import os
import stat
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from planact.model.runs.change import Change
from planact.model.runs.execution import FileChange
from planact.model.runs.touch import LARGEST_UNDONE, Touch
from planact.tools.edit.touches import file_at, state_now
from planact.workflows.history.restore_files import restore_files
from planact.workflows.history.undo_changes import FileTouch, StepRef, UndoPlan, plan_undo
from tests.fakes.world import World

Shown = dict[str, tuple[str, int, bytes]]


def shown(root: Path) -> Shown:
    """All but git's own and planact's: kind, mode and content by path."""
    found: Shown = {}
    _add_shown(root, root, found)
    return found


def _add_shown(root: Path, folder: Path, found: Shown) -> None:
    """Add what is in a folder, also where its owner has no rights."""
    own = stat.S_IMODE(folder.stat().st_mode)
    if own & stat.S_IRWXU != stat.S_IRWXU:
        folder.chmod(0o700)
    for path in folder.iterdir():
        mode = path.lstat().st_mode
        at = path.relative_to(root).as_posix()
        if stat.S_ISLNK(mode):
            found[at] = ("link", 0, os.fsencode(path.readlink()))
        elif not stat.S_ISDIR(mode):
            found[at] = ("file", stat.S_IMODE(mode), read_any(path))
        elif at not in (".git", ".planact"):
            found[at] = ("folder", stat.S_IMODE(mode), b"")
            _add_shown(root, path, found)
    folder.chmod(own)


def read_any(path: Path) -> bytes:
    """The bytes of a file, also of one that its owner may not read."""
    if os.access(path, os.R_OK):
        return path.read_bytes()
    mode = path.stat().st_mode
    path.chmod(0o600)
    try:
        return path.read_bytes()
    finally:
        path.chmod(stat.S_IMODE(mode))


def undo_of(world: World, touches: Sequence[Touch]) -> UndoPlan:
    part = StepRef("run", 1)
    deeds = [FileTouch(part, sequence, touch, is_recorded=True) for sequence, touch in enumerate(touches)]
    now = partial(state_now, world.ports, limit=LARGEST_UNDONE)
    return plan_undo(deeds, {part}, now, partial(file_at, world.ports))


def discard(world: World, touches: Sequence[Touch]) -> None:
    """Raises AssertionError where something can't be put back, and EditFailure."""
    undo = undo_of(world, touches)
    left = [*undo.moved_on, *undo.stayed]
    assert not left, left
    apply = world.editor.apply

    async def apply_once(changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:
        """As editors do that refuse two changes of one path."""
        named = [place.real for change in changes for place in (change.place, getattr(change, "target", None)) if place]
        assert len(named) == len({*named})
        return await apply(changes, label)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(world.editor, "apply", apply_once)
        asyncio.run(restore_files(world.ws, undo, "Discard"))
