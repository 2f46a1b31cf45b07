"""Go on where a run paused, failed or was killed: with what it was to do, and has no result for."""

from planact.base.errors import Conflict, InvalidInput, NotFound
from planact.model.question import QuestionSet
from planact.model.runs.execution import Execution
from planact.workflows.history.journal_queries import load_record, own_runs, runs_of
from planact.workflows.history.report import find_execution
from planact.workflows.plans.library import is_executed, pick_plan
from planact.workflows.questions.answers_as_result import effect_reason
from planact.workflows.runs.execute import Confirmation, execute_accepted, execute_plan
from planact.workflows.runs.freshness import replan
from planact.workflows.workspace import Workspace


def run_to_resume(ws: Workspace, *, execution_id: str = "", path: str = "") -> Execution:
    """Return the run with that id or end of an id, the newest of the plan at `path`, or, without both, the newest of
    all that stopped early.

    Raises:
        NotFound: EXECUTION_NOT_FOUND.
        Conflict: MODE_CONFLICT, when no run can be resumed; BUSY, when it still runs.
    """
    run = find_execution(ws, execution_id) if execution_id else _newest(ws, path)
    if not run.plan_file:
        raise Conflict("MODE_CONFLICT", f"{run.id} was work without a plan", "Go on with it by a message.")
    if is_executed(ws, run.plan_file):
        raise Conflict("BUSY", f"{run.plan_file} is being executed", "Wait for it, or stop it.")
    if run.status == "success":
        raise Conflict("MODE_CONFLICT", f"{run.id} is done", "Execute the plan to run what else is open in it.")
    return run


def find_run(ws: Workspace, name: str) -> Execution:
    """Return the run that a user names: by its id or the end of that, or by the id or the path of its plan; empty = the
    newest that stopped early.

    Raises:
        The errors of `run_to_resume` and `pick_plan`.
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
        found = next((run for run in own_runs(ws) if run.plan_file and run.status != "success"), None)
    if found is None:
        about = f" of {path}" if path else " that stopped before it was done"
        raise NotFound("EXECUTION_NOT_FOUND", f"there is no execution{about}", _how_to_begin(ws, path))
    return found


def _how_to_begin(ws: Workspace, path: str) -> str:
    """Say how to execute the plan of a run that couldn't be written, for example on a full disk."""
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
    """Run what is left of the steps that it was about, or of the plan: as the same run where it paused, was stopped or
    was killed, else as another. A plan that changed since is asked about. Where the user chose to re-plan when the run
    asked, the plan is revised instead.

    Raises:
        What `execute_plan` and `replan` raise.
    """
    asked = [each for each in ws.ports.questions.asked(session_id, purpose="agent") if each.execution_id == run.id]
    if chosen := [each for each in asked if each.effect == "replan"]:
        revised = await replan(ws, session_id, run.plan_file, "; ".join(map(_wish, chosen)))
        for each in chosen:
            ws.ports.questions.use(each.id)
        return await execute_accepted(ws, session_id, revised) or run
    unless_approved = Confirmation.UNLESS_APPROVED
    return await execute_plan(
        ws, session_id, run.plan_file, unless_approved, only_steps=run.only_steps, resumed_id=run.id
    )


def _wish(chosen: QuestionSet) -> str:
    where = f"In step {chosen.step.number} ({chosen.step.action}): " if chosen.step else ""
    return f"{where}{effect_reason(chosen)}"


def can_be_continued(ws: Workspace, path: str, plan_hash: str) -> bool:
    """The newest run of exactly this plan paused or was killed."""
    run = newest_resumable_run(ws, path)
    return run is not None and run.plan_hash == plan_hash


def newest_resumable_run(ws: Workspace, path: str) -> Execution | None:
    """The newest run of the plan at `path`, if it paused or was killed. Records come with repositories, so the journal
    has the last word on which it is.
    """
    begun = next(iter(ws.ports.journal.runs(path, limit=1)), None)
    run = load_record(ws, begun.execution_id) if begun else None
    return run if run is not None and run.status in ("paused", "aborted", "running") else None
