"""At most one run changes a folder at a time, and what a killed one left behind is put in order before the next."""

from collections.abc import Iterator
from contextlib import contextmanager

from planact.base.errors import Conflict
from planact.model.execution import Execution
from planact.workflows.journaled import ended_steps
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
                _close(ws, execution)
        yield
    finally:
        ws.ports.lock.release()


def _close(ws: Workspace, killed: Execution) -> None:
    data = {"status": "aborted", "reason": "the process ended before the run did"}
    ws.ports.journal.append(killed.session_id, killed.id, "run_finished", data)
    closed = {**data, "steps": ended_steps(ws, killed.id), "finished_at": ws.now()}
    ws.ports.records.put_execution(killed.model_copy(update=closed))
