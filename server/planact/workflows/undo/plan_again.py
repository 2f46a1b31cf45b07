"""Bring sessions back into Plan with a rollback."""

from collections.abc import Sequence
from contextlib import suppress

from planact.base.errors import NotFound
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.workflows.sessions.switch_mode import enter_mode
from planact.workflows.workspace import Workspace


def plan_again(ws: Workspace, session_id: str, executions: Sequence[Execution]) -> None:
    """Put the sessions of plans of which nothing is left to roll back into Plan, where their execution had begun:
    that of the run, and `session_id`, which asked for it. Work without a plan began in Act; the rollback of one step
    leaves a plan to go on with.
    """
    for run in executions:
        for each in {session_id, run.session_id} if run.plan_file and not run.to_roll_back else ():
            with suppress(NotFound):  # deleted since
                session = ws.ports.sessions.get(each)
                if session.mode is Mode.ACT and session.plan_file == run.plan_file:
                    enter_mode(ws, each, Mode.PLAN, "rollback")
