"""Go on where a run paused, failed or was killed: with what it was to do, and has no result for."""

from planact.base.errors import Conflict, NotFound
from planact.model.execution import Execution
from planact.workflows.execute_plan import Confirmation, execute_plan
from planact.workflows.library import is_executed
from planact.workflows.report_execution import find_execution
from planact.workflows.workspace import Workspace


def run_to_resume(ws: Workspace, *, execution_id: str = "", path: str = "") -> Execution:
    """The run with that id (its end will do), the newest of the plan at `path`, or, without both, the newest of all
    that stopped before they were done.

    Raises:
        NotFound: EXECUTION_NOT_FOUND.
        Conflict: MODE_CONFLICT, when there is nothing to go on with; BUSY, when it still runs.
    """
    run = find_execution(ws, execution_id) if execution_id else _newest(ws, path)
    if not run.plan_file:
        raise Conflict("MODE_CONFLICT", f"{run.id} was work without a plan", "Go on with it by a message.")
    if is_executed(ws, run.plan_file):
        raise Conflict("BUSY", f"{run.plan_file} is being executed", "Wait for it, or stop it.")
    if run.status == "success":
        raise Conflict("MODE_CONFLICT", f"{run.id} is done", "Execute the plan to run what else is open in it.")
    return run


def _newest(ws: Workspace, path: str) -> Execution:
    runs = ws.ports.records.executions()
    if path:
        found = next((run for run in runs if run.plan_file == path), None)
    else:
        found = next((run for run in runs if run.plan_file and run.status != "success"), None)
    if found is None:
        about = f" of {path}" if path else " that stopped before it was done"
        raise NotFound("EXECUTION_NOT_FOUND", f"there is no execution{about}", "Execute a plan to begin one.")
    return found


def session_to_resume(ws: Workspace, run: Execution) -> str:
    """The session that has the run's questions and answers; empty where there is none, as for a record that came with
    the repository.
    """
    sessions = ws.ports.sessions.list()
    own = [session.id for session in sessions if session.id == run.session_id]
    return next(iter((*own, *(session.id for session in sessions if session.plan_file == run.plan_file))), "")


async def resume_execution(ws: Workspace, session_id: str, run: Execution) -> Execution:
    """Run what is left: the one step that it was about, or all of the plan. A plan that changed since is asked about.

    Raises:
        What `execute_plan` raises.
    """
    step = run.only_step or None
    return await execute_plan(ws, session_id, run.plan_file, Confirmation.UNLESS_APPROVED, step=step)


def is_to_be_continued(ws: Workspace, path: str, plan_hash: str) -> bool:
    """Whether the newest run of just this plan paused or was killed. Records come with repositories, so the journal
    has the last word.
    """
    run = next((run for run in ws.ports.records.executions() if run.plan_file == path), None)
    is_left = run is not None and run.plan_hash == plan_hash and run.status in ("paused", "aborted", "running")
    return run is not None and is_left and bool(ws.ports.journal.read(run.id, ("run_started",)))
