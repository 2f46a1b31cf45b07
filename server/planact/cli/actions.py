"""Actions of the terminal that several commands share, each from the user's words to a result."""

from collections.abc import Collection

from planact.cli.command import Result
from planact.cli.engine import Engine
from planact.cli.results import planning_result, run_action, run_result
from planact.model.rights.permission import Mode
from planact.workflows.plans.library import PlanDocument
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.runs.make_plan import make_plan
from planact.workflows.sessions.choose_model import check_model
from planact.workflows.sessions.manage import new_session


def make_plan_and_wait(engine: Engine, session_id: str, request: str) -> Result:
    """Make a plan, and execute it if the user accepts it meanwhile."""

    async def make() -> Result:
        taken = await make_plan(engine.ws, session_id, request)
        if taken.written is not None and taken.result.kind == "accepted":
            path = taken.written.path
            return run_result(await execute_plan(engine.ws, session_id, path, Confirmation.UNLESS_APPROVED))
        return planning_result(session_id, taken)

    return run_action(engine, session_id, make)


def execute_and_wait(
    engine: Engine,
    document: PlanDocument,
    confirmation: Confirmation,
    *,
    steps: Collection[int] = (),
    session_id: str = "",
    seen_hash: str = "",
) -> Result:
    """Execute a plan, or some steps of it. Without a session id, use the last session that worked on the plan, which
    has the answers that the user gave meanwhile.
    """
    if not session_id:
        sessions = engine.ws.ports.sessions.list()
        known = next((session for session in sessions if session.plan_file == document.path), None)
        if known is None:
            check_model(engine.ws, Mode.ACT)
        session_id = (known or new_session(engine.ws)).id

    async def execute() -> Result:
        run = await execute_plan(
            engine.ws, session_id, document.path, confirmation, only_steps=steps, seen_hash=seen_hash
        )
        return run_result(run)

    return run_action(engine, session_id, execute)


def planning_session(engine: Engine, document: PlanDocument) -> str:
    """Return the id of the last session in Plan that worked on the plan, or of a new one."""
    for session in engine.ws.ports.sessions.list():
        if session.plan_file == document.path and session.mode is Mode.PLAN:
            return session.id
    return new_session(engine.ws, Mode.PLAN).id
