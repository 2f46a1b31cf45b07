"""Changes of files while a command runs, compared with the text that the user saw before: unsaved text first."""

import asyncio
import stat
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import PurePosixPath
from typing import TypeVar

from planact.base.errors import EditFailure
from planact.base.filetext import FileText, encode
from planact.base.text import one_line
from planact.model.runs.execution import FileChange
from planact.model.runs.touch import OTHER, FileState, Touch
from planact.policy.protected import PLAN_SUFFIX
from planact.ports import Before, Ports
from planact.tools.commands.background import Background
from planact.tools.shielded import run_shielded
from planact.tools.trace import Trace

Look = TypeVar("Look", bound=Before)

_NAME = 120
"""Characters of a command in words for people."""


@asynccontextmanager
async def record_changes(
    ports: Ports, look: Callable[[], Look], report: Callable[[Sequence[Touch]], None]
) -> AsyncIterator[Look]:
    """Report the files that change until the block ends, however it ends. `look` returns their state before."""
    unsaved = _unsaved(ports)
    before = await asyncio.to_thread(look)
    mark, _ = ports.editor.saved_since(0)
    try:
        yield before
    finally:
        await run_shielded(_report(ports, before, unsaved, mark, report))


def file_change_of(touch: Touch) -> FileChange:
    """Return the change for the step's record."""
    if not touch.is_covered or touch.before is None:
        return FileChange(path=touch.path, by_command=True, is_covered=False)
    return FileChange(path=touch.path, before=touch.before.sha256, after=touch.after.sha256, by_command=True)


async def record_changes_beside(ports: Ports, background: Background, trace: Trace) -> None:
    """Add to `trace.beside` the files that changed while background commands ran, but for the work's own changes and
    planact's files.
    """
    for path in await background.changed(partial(ports.footprints.snapshot, trace.about())):
        if path not in trace.changed and PurePosixPath(path).suffix != PLAN_SUFFIX and not path.startswith(".planact/"):
            trace.beside.append(path)


def not_covered(trace: Trace) -> tuple[str, ...]:
    """Return, for people, the changes that can't be undone: their author or the content before is unknown."""
    told = [
        f"{path}, which changed while background commands ran, by them or by another program" for path in trace.beside
    ]
    if trace.loose:
        names = ", ".join(f"`{one_line(each, _NAME)}`" for each in dict.fromkeys(trace.loose))
        told.append(f"files that git doesn't track and the plan doesn't name, where {names} changed any")
    return tuple(dict.fromkeys(told))


async def _report(
    ports: Ports,
    before: Before,
    unsaved: Mapping[str, FileState],
    mark: int,
    report: Callable[[Sequence[Touch]], None],
) -> None:
    found = await asyncio.to_thread(before.found)
    still = ports.editor.unsaved(ports.files.resolve(".")) if unsaved else {}
    _, texts = ports.editor.saved_since(mark)
    seen = dict(unsaved)
    for path in (each.path for each in found if each.path in texts):
        state = _state_in_editor(ports, path, texts[path])
        seen |= {path: state} if state else {}
    report([touch for each in found if (touch := _as_seen(each, seen, still)) is not None])


def _as_seen(touch: Touch, seen_by_user: Mapping[str, FileState], still: Mapping[str, str]) -> Touch | None:
    """Return the change relative to the text in the editor, also one that the user saved meanwhile; None = the text was
    only saved.
    """
    seen = seen_by_user.get(touch.path)
    if seen is None:
        return touch
    if touch.path in still:  # changed on disk below unsaved text: no single content to go back to
        return touch.model_copy(update={"before": None})
    return None if seen.sha256 == touch.after.sha256 else touch.model_copy(update={"before": seen})


def _unsaved(ports: Ports) -> Mapping[str, FileState]:
    """Return the state of each unsaved file as the editor shows it; the journal keeps the content."""
    texts = ports.editor.unsaved(ports.files.resolve("."))
    states = {path: _state_in_editor(ports, path, None) for path in texts}
    return {path: state for path, state in states.items() if state is not None}


def _state_in_editor(ports: Ports, path: str, text: str | None) -> FileState | None:
    """Return the state of a file with that text, by default the one in the editor; None where it isn't open."""
    place = ports.files.resolve(path)
    buffer = ports.editor.buffer(place)
    if buffer is None and text is None:
        return None
    known = buffer or FileText("")
    try:
        digest = ports.journal.keep(encode(known, known.text if text is None else text))
    except EditFailure:  # can't be saved in its encoding
        return OTHER
    mode = stat.S_IMODE(ports.files.info(place).mode) if place.exists else None
    return FileState(kind="file", sha256=digest, mode=mode)
