"""At most one run changes a folder at a time, and what a killed one left behind is put in order before the next."""

from collections.abc import Iterator
from contextlib import contextmanager

from planact.base.errors import Conflict
from planact.workflows.workspace import Workspace


@contextmanager
def sole_run(ws: Workspace, holder: str) -> Iterator[None]:
    """Be the one run, until the block ends. Whoever has the lock knows that a record which still says `running` is of a
    run that was killed, and says so in it.

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
        for execution in ws.ports.records.executions():
            if execution.status == "running":
                update = {"status": "aborted", "reason": "the process ended before the run did"}
                ws.ports.records.put_execution(execution.model_copy(update=update))
        yield
    finally:
        ws.ports.lock.release()
