"""Judge what commands on trial changed in earlier runs, before new work begins."""

from planact.base.errors import Conflict
from planact.model.runs.execution import FileChange
from planact.plan.syntax.parser import parse
from planact.policy.allowances import PlanAllowance
from planact.tools.trace import Trace
from planact.tools.turn import EndTurn
from planact.workflows.outcomes.run_outcomes import RunOutcomes
from planact.workflows.plans.amend import AMENDED, PlannedStep
from planact.workflows.plans.infrastructure import plan_of
from planact.workflows.trials import runs_that_wait
from planact.workflows.workspace import Workspace


async def judge_waiting(ws: Workspace, session_id: str) -> None:
    """Judge all that waits; what the step of then names is a part of it. The caller holds the lock of runs.

    Raises:
        Conflict: NOT_CONFIRMED, where the user can't be asked, and their setting ends the work.
    """
    for run_id in runs_that_wait(ws):
        trace = Trace(waits_for_judgement=True)
        step, named, named_by_others = _last_step(ws, run_id, trace)
        waiting = RunOutcomes(ws, session_id, run_id, trace, named, named_by_others, step)
        try:
            await waiting.judge()
        except EndTurn as end:
            raise Conflict("NOT_CONFIRMED", end.reason, "Look at these files, or set `outcomes` otherwise.") from end
        if told := trace.take_put_back():
            ws.add_message(session_id, "system", told, for_model=True)


def _last_step(ws: Workspace, run_id: str, trace: Trace) -> tuple[PlannedStep | None, frozenset[str], frozenset[str]]:
    """Return the step that a run carried out last, with the files that it names and those that only others do; None
    where it had no plan. What the step changed goes to the trace.
    """
    path = plan_hash = text = ""
    number = -1
    for entry in ws.ports.journal.read(run_id, ("run_started", "step_started", AMENDED, "file_changed")):
        match entry.kind:
            case "run_started":
                path, plan_hash = str(entry.data.get("path", "")), str(entry.data.get("hash", ""))
                text = str(entry.data.get("plan", ""))
            case "step_started":
                if number != (begun := int(entry.data["step"]["step_number"])):  # else it is tried again
                    number = begun
                    trace.changed.clear()
            case "file_changed":
                trace.note(FileChange.model_validate(entry.data))
            case _:
                plan_hash, text = entry.data["hash"], entry.data["plan"]
    plan = plan_of(parse(text))
    step = next((each for each in plan.steps if each.step_number == number), None) if plan else None
    if plan is None or step is None:
        return None, frozenset(), frozenset()
    allowed = PlanAllowance.of(plan).in_step(step)
    return PlannedStep(path, plan_hash, number), allowed.files, allowed.files_of_others
