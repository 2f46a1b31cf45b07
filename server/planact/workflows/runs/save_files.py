"""Files that a run changed and the editor hasn't saved."""

from collections.abc import Sequence

from planact.base.paths import Place
from planact.base.text import named
from planact.model.runs.execution import Execution
from planact.workflows.workspace import Workspace


def unsaved_files(ws: Workspace, execution: Execution) -> Sequence[Place]:
    """Return the files that a run changed and whose text in the editor isn't on disk. Reads the disk."""
    files = ws.ports.files
    unsaved = ws.ports.editor.unsaved(files.resolve("."))
    changed = {change.path for record in execution.steps for change in record.files}
    return [files.resolve(path) for path in sorted(changed & unsaved.keys())]


async def save_files(ws: Workspace, execution: Execution) -> tuple[Sequence[Place], Sequence[Place]]:
    """Have the editor save the files that a run changed; return those that it saved, and those that still aren't."""
    before = unsaved_files(ws, execution)
    left = await ws.ports.editor.save(before)
    return [place for place in before if place not in left], left


def unsaved_line(ws: Workspace, execution: Execution) -> str:
    """Return a line for the user on files that aren't saved; empty where all are."""
    names = ", ".join(named(place.shown) for place in unsaved_files(ws, execution))
    return f"\nNot saved yet in the editor: {names}" if names else ""
