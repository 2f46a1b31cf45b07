"""At most one run changes a folder at a time, over all processes."""

from collections.abc import Iterator
from contextlib import contextmanager

from planact.base.errors import Conflict
from planact.workflows.workspace import Workspace


@contextmanager
def sole_run(ws: Workspace, holder: str) -> Iterator[None]:
    """Be the one run, until the block ends.

    Args:
        ws: the workspace.
        holder: what others are told who come meanwhile.

    Raises:
        Conflict: BUSY, with the name of the run that has the folder.
    """
    other = ws.ports.lock.acquire(holder)
    if other:
        raise Conflict("BUSY", f"another run changes this folder: {other}", "Wait for it, or stop it.")
    try:
        yield
    finally:
        ws.ports.lock.release()
