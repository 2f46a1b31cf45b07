"""Go on where a run paused, failed or was killed: with what it was to do, and has no result for."""

from planact.base.errors import Conflict, InvalidInput, NotFound
from planact.model.execution import Execution
from planact.workflows.execute_plan import Confirmation, execute_plan
from planact.workflows.journaled import newest_first, record_of, runs_of
from planact.workflows.library import is_executed, pick_plan
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


def run_called(ws: Workspace, name: str) -> Execution:
    """What a person means who names a run: by its id or the end of that, or by the id or the path of its plan; empty =
    the newest that stopped before it was done.

    Raises:
        What `run_to_resume` and `pick_plan` raise.
    """
    if not name:
        return run_to_resume(ws)
    if any(run_id.endswith(name) for run_id in ws.ports.records.execution_ids()):
        return run_to_resume(ws, execution_id=name)
    return run_to_resume(ws, path=pick_plan(ws, name).path)


def _newest(ws: Workspace, path: str) -> Execution:
    if path:
        found = next(runs_of(ws, path), None)
    else:
        found = next((run for run in newest_first(ws) if run.plan_file and run.status != "success"), None)
    if found is None:
        about = f" of {path}" if path else " that stopped before it was done"
        raise NotFound("EXECUTION_NOT_FOUND", f"there is no execution{about}", _how_to_begin(ws, path))
    return found


def _how_to_begin(ws: Workspace, path: str) -> str:
    """A run that could write nothing down, as on a full disk, has never begun."""
    try:
        plan = pick_plan(ws, path).complete()
    except InvalidInput:
        return "Execute a plan to begin one."
    return f"To begin one, execute {plan.id}: `planact act {plan.id}` or `/act {plan.id}`."


def session_to_resume(ws: Workspace, run: Execution) -> str:
    """The session that has the run's questions and answers; empty where there is none, as for a record that came with
    the repository.
    """
    sessions = ws.ports.sessions.list()
    own = [session.id for session in sessions if session.id == run.session_id]
    return next(iter((*own, *(session.id for session in sessions if session.plan_file == run.plan_file))), "")


async def resume_execution(ws: Workspace, session_id: str, run: Execution) -> Execution:
    """Run what is left of the steps that it was about, or of the plan. A plan that changed since is asked about.

    Raises:
        What `execute_plan` raises.
    """
    only = run.only_steps
    return await execute_plan(ws, session_id, run.plan_file, Confirmation.UNLESS_APPROVED, only_steps=only)


def is_to_be_continued(ws: Workspace, path: str, plan_hash: str) -> bool:
    """Whether the newest run of just this plan paused or was killed."""
    run = newest_to_continue(ws, path)
    return run is not None and run.plan_hash == plan_hash


def newest_to_continue(ws: Workspace, path: str) -> Execution | None:
    """The newest run of the plan at `path`, if it paused or was killed. Records come with repositories, so the journal
    has the last word on which it is.
    """
    begun = next(iter(ws.ports.journal.runs(path, limit=1)), None)
    run = record_of(ws, begun.execution_id) if begun else None
    return run if run is not None and run.status in ("paused", "aborted", "running") else None
