"""Rollbacks that were killed: the next one goes on with them, and that only the user can want."""

from collections.abc import Sequence

from planact.model.execution import Execution
from planact.model.notice import ToolNotice
from planact.workflows.journaled import rebuilt
from planact.workflows.undo_log import cut_short
from planact.workflows.workspace import Workspace


def half_rolled_back(ws: Workspace) -> Sequence[Execution]:
    """The runs of which some files may be put back and others not; none while something changes the folder."""
    if ws.ports.lock.holder():
        return ()
    return [rebuilt(ws, begun) for run in cut_short(ws) for begun in ws.ports.journal.read(run, ("run_started",))]


def said_of(run: Execution) -> str:
    """What is so of one of them, for people."""
    return f"the rollback of “{run.goal}” was killed: some of its files may be put back, and others not"


def next_step_of(run: Execution) -> str:
    """How it goes on."""
    return f"Go on with the rollback: planact rollback {run.id}"


def tell_half_rolled_back(ws: Workspace, session_id: str) -> None:
    """Tell of them where other work begins."""
    for run in half_rolled_back(ws):
        ws.ports.editor.tell(ToolNotice(session_id, "recovery", f"{said_of(run)}. {next_step_of(run)}"))
