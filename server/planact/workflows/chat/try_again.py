"""Go on with work that ended with an error, as where the model didn't answer."""

from planact.agent.loop import TurnResult
from planact.base.errors import Conflict
from planact.workflows.chat.go_on import HeldWork, go_on
from planact.workflows.history.journal_queries import rebuild_execution
from planact.workflows.work.failed import failure_of
from planact.workflows.workspace import Workspace


async def try_again(ws: Workspace, session_id: str) -> TurnResult | None:
    """Take the session's last turn again, or go on with its run; return how the turn ended, None for the run of a plan.

    Raises:
        Conflict: BUSY; MODE_CONFLICT, when its work did not end with an error. What `go_on` raises.
    """
    ws.check_idle(session_id)
    if failure_of(ws, session_id) is None:
        raise Conflict("MODE_CONFLICT", "nothing failed that could be tried again", "Write what you want instead.")
    last = next(iter(ws.ports.journal.runs(limit=1)), None)
    run = rebuild_execution(ws, last) if last else None
    is_own = run is not None and run.session_id == session_id and run.plan_file and run.status == "paused"
    return await go_on(ws, HeldWork(session_id, run if is_own else None))
