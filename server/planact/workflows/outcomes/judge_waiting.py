"""Judge what commands on trial changed in earlier runs, before new work begins."""

from planact.base.errors import Conflict
from planact.model.plan import Step
from planact.tools.trace import Trace
from planact.tools.turn import EndTurn
from planact.workflows.outcomes.run_outcomes import RunOutcomes
from planact.workflows.plans.amend import AMENDED, PlannedStep
from planact.workflows.trials import runs_that_wait
from planact.workflows.workspace import Workspace


async def judge_waiting(ws: Workspace, session_id: str) -> None:
    """Judge all that waits; what the step of then names is a part of it. The caller holds the lock of runs.

    Raises:
        Conflict: NOT_CONFIRMED, where the user can't be asked, and their setting ends the work.
    """
    for run_id in runs_that_wait(ws):
        step, named = _last_step(ws, run_id)
        trace = Trace(waits_for_judgement=True)
        waiting = RunOutcomes(ws, session_id, run_id, trace, named, frozenset(), step)
        try:
            await waiting.judge()
        except EndTurn as end:
            raise Conflict("NOT_CONFIRMED", end.reason, "Look at these files, or set `outcomes` otherwise.") from end
        if told := trace.take_put_back():
            ws.add_message(session_id, "system", told, for_model=True)


def _last_step(ws: Workspace, run_id: str) -> tuple[PlannedStep | None, frozenset[str]]:
    """Return the step that a run carried out last, with the files that it names; None where it had no plan."""
    path = plan_hash = ""
    steps: list[Step] = []
    added: dict[int, set[str]] = {}
    for entry in ws.ports.journal.read(run_id, ("run_started", "step_started", AMENDED)):
        match entry.kind:
            case "run_started":
                path, plan_hash = str(entry.data.get("path", "")), str(entry.data.get("hash", ""))
            case "step_started":
                steps.append(Step.model_validate(entry.data["step"]))
            case _:
                plan_hash = entry.data["hash"]
                added.setdefault(entry.data["step_number"], set()).update(entry.data["files"])
    if not steps:
        return None, frozenset()
    number = steps[-1].step_number
    return PlannedStep(path, plan_hash, number), frozenset(steps[-1].files).union(added.get(number, ()))
