"""Finds what changes while a command runs, with what the user saw of it before: unsaved text first."""

import asyncio
import stat
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import PurePosixPath

from planact.base.errors import EditFailure
from planact.base.filetext import encode
from planact.base.text import one_line
from planact.model.execution import FileChange
from planact.model.touch import OTHER, FileState, Touch
from planact.policy.protected import PLAN_SUFFIX
from planact.ports import Before, Ports
from planact.tools.background import Background
from planact.tools.finish import finish
from planact.tools.trace import Trace

_NAME = 120
"""Characters of a command in words for people."""


@asynccontextmanager
async def finding(
    ports: Ports, about: frozenset[str], report: Callable[[Sequence[Touch]], None]
) -> AsyncIterator[None]:
    """Report what changes until the block ends, however it ends. `about` = the files that the work is about."""
    unsaved = _unsaved(ports)
    before = await asyncio.to_thread(ports.footprints.look, about)
    try:
        yield
    finally:
        await finish(_report(ports, before, unsaved, report))


def file_change_of(touch: Touch) -> FileChange:
    """What the record says of it."""
    if not touch.is_covered or touch.before is None:
        return FileChange(path=touch.path, by_command=True, is_covered=False)
    return FileChange(path=touch.path, before=touch.before.sha256, after=touch.after.sha256, by_command=True)


async def look_beside(ports: Ports, background: Background, trace: Trace) -> None:
    """Take note of what changed while commands went on beside the work, but for what the work itself did and for
    planact's own files.
    """
    for path in await background.changed(partial(ports.footprints.look, trace.about())):
        if path not in trace.changed and PurePosixPath(path).suffix != PLAN_SUFFIX and not path.startswith(".planact/"):
            trace.beside.append(path)


def not_covered(trace: Trace) -> tuple[str, ...]:
    """What can't be put back, since nobody looked at it before, or knows who changed it; in words, for people."""
    told = [
        f"{path}, which changed while commands ran beside the work, by them or by somebody else"
        for path in trace.beside
    ]
    if trace.loose:
        names = ", ".join(f"`{one_line(each, _NAME)}`" for each in dict.fromkeys(trace.loose))
        told.append(f"files that git doesn't track and the plan doesn't name, where {names} changed any")
    return tuple(dict.fromkeys(told))


async def _report(
    ports: Ports, before: Before, unsaved: Mapping[str, FileState], report: Callable[[Sequence[Touch]], None]
) -> None:
    found = await asyncio.to_thread(before.found)
    still = ports.editor.unsaved(ports.files.resolve(".")) if unsaved else {}
    touches = [touch for each in found if (touch := _as_seen(each, unsaved, still)) is not None]
    if touches:
        report(touches)


def _as_seen(touch: Touch, unsaved: Mapping[str, FileState], still: Mapping[str, str]) -> Touch | None:
    """What became of it for somebody who saw the editor; None = it was only saved."""
    seen = unsaved.get(touch.path)
    if seen is None:
        return touch
    if touch.path in still:  # it changed below text that isn't saved: what is to be had back is nobody's to say
        return touch.model_copy(update={"before": None})
    return None if seen.sha256 == touch.after.sha256 else touch.model_copy(update={"before": seen})


def _unsaved(ports: Ports) -> Mapping[str, FileState]:
    """What the editor shows otherwise than the disk has it, kept."""
    states: dict[str, FileState] = {}
    for path in ports.editor.unsaved(ports.files.resolve(".")):
        place = ports.files.resolve(path)
        buffer = ports.editor.buffer(place)
        if buffer is None:
            continue
        try:
            digest = ports.journal.keep(encode(buffer, buffer.text))
        except EditFailure:  # nothing that could be saved
            states[path] = OTHER
            continue
        mode = stat.S_IMODE(ports.files.info(place).mode) if place.exists else None
        states[path] = FileState(kind="file", sha256=digest, mode=mode)
    return states
