"""Judge what commands on trial changed in earlier runs, before new work begins."""

from planact.base.errors import Conflict
from planact.model.plan import Step
from planact.tools.trace import Trace
from planact.tools.turn import EndTurn
from planact.workflows.outcomes.run_outcomes import RunOutcomes
from planact.workflows.trials import runs_that_wait
from planact.workflows.workspace import Workspace


async def judge_waiting(ws: Workspace, session_id: str) -> None:
    """Judge all that waits; what the step of then names is a part of it. The caller holds the lock of runs.

    Raises:
        Conflict: NOT_CONFIRMED, where the user can't be asked, and their setting ends the work.
    """
    for run_id in runs_that_wait(ws):
        steps = [Step.model_validate(entry.data["step"]) for entry in ws.ports.journal.read(run_id, ("step_started",))]
        named = frozenset(steps[-1].files) if steps else frozenset()
        trace = Trace(waits_for_judgement=True)
        waiting = RunOutcomes(ws, session_id, run_id, trace, named, frozenset(), has_step=bool(steps))
        try:
            await waiting.judge()
        except EndTurn as end:
            raise Conflict("NOT_CONFIRMED", end.reason, "Look at these files, or set `outcomes` otherwise.") from end
        if told := trace.take_put_back():
            ws.add_message(session_id, "system", told, for_model=True)
