"""Let the agent work on a step until its checks pass: what they print goes back to it, so many times.

The agent goes on in the same context and with what is left of the step's limits. Only what it can't repair is asked
about, by `handle_failure`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from planact.agent.loop import EndKind
from planact.model.notice import ExecutionProgress
from planact.model.plan import Plan, Step
from planact.model.runs.execution import CheckResult, Execution, FileChange, Repair
from planact.tools.turn import EndTurn
from planact.workflows.history.interruption import merged_changes
from planact.workflows.history.journal_queries import repairs_made
from planact.workflows.runs.checks.check_before import failed_alike_before
from planact.workflows.runs.checks.check_errors import check_errors
from planact.workflows.runs.checks.check_results import check_text, failed_check, fails_alike, with_tail
from planact.workflows.runs.checks.run_checks import run_checks
from planact.workflows.turns.take_turn import Scope, TurnTaken, judge_outcomes, take_turn
from planact.workflows.workspace import Workspace

PAUSES: frozenset[EndKind] = frozenset({"waiting", "stopped", "cancelled", "replan", "limit", "review"})
"""Ends of a step's turn at which its run pauses."""

_TASK = "Repair the cause in this step, without weakening the check. If you can't, say why and change nothing."
_OLD = (
    "It failed alike before the run. Repair the cause if it belongs to this step, without weakening the check. Else "
    "change nothing and say so: then it isn't held against the step."
)


@dataclass(slots=True)
class StepWork:
    """What the agent and the checks did in one attempt at a step.

    Attributes:
        taken: the agent's last turn, with the trace of all of them.
        made: repairs since the step's last result, also in attempts that broke off.
        results: how the checks ended the last time; None = they were never run to an end.
        repairs: those of this attempt.
        waits: the reason why a check can't run now; empty = none.
        changed: the files as the agent left them, by path; what checks changed isn't among them.
    """

    taken: TurnTaken
    made: int
    results: Sequence[CheckResult] | None = None
    repairs: list[Repair] = field(default_factory=list)
    waits: str = ""
    changed: dict[str, FileChange] = field(default_factory=dict)
    _left_by_checks: dict[str, FileChange] = field(default_factory=dict)

    def note_turn(self, taken: TurnTaken) -> Sequence[str]:
        """Take the agent's turn into account, and return the files that it changed."""
        self.taken = taken
        changed = {
            path: change for path, change in taken.trace.changed.items() if change != self._left_by_checks.get(path)
        }
        self.changed |= changed
        return tuple(changed)

    def note_checks(self, results: Sequence[CheckResult]) -> None:
        """Take the checks into account, which may have changed files, too."""
        self.results = results
        self._left_by_checks = dict(self.taken.trace.changed)

    @property
    def is_stuck(self) -> bool:
        """The last repair changed no file, and the check fails as before."""
        failed = failed_check(self.results or ())
        last = self.repairs[-1] if self.repairs else None
        return bool(failed and last and not last.files and fails_alike(failed, last.check))


async def work_and_repair(
    ws: Workspace,
    execution: Execution,
    plan: Plan,
    step: Step,
    scope: Scope,
    checks: Sequence[str],
    earlier: Sequence[FileChange],
) -> StepWork:
    """Take the step's turn and run its checks, the last by language servers; where one fails, have the agent repair
    that, and run them again. `earlier` has the changes of attempts before.

    Raises:
        ModelFailure: the journal knows the repairs that were begun.
    """
    session_id, limit = execution.session_id, ws.settings.limits.repairs
    made = repairs_made(ws, execution.id, step.step_number)
    taken = await take_turn(ws, session_id, scope)
    work = StepWork(taken, made)
    work.note_turn(taken)
    excused: list[CheckResult] = []

    async def goes_on() -> bool:
        """Judge what commands on trial changed before anything else runs; return whether the work isn't paused."""
        if work.taken.result.kind not in PAUSES:
            work.taken = await judge_outcomes(ws, session_id, scope, work.taken)
        return work.taken.result.kind not in PAUSES

    while await goes_on() and work.taken.result.kind != "refused":
        try:
            known = [*execution.checks_before, *(repair.check for repair in work.repairs)]
            results = await run_checks(ws, session_id, scope, work.taken.trace, checks, excused, known)
        except EndTurn as end:
            work.waits = end.reason
            break
        if failed_check(results) is None:
            changes = merged_changes((*earlier, *work.taken.trace.changed.values()))
            results += filter(None, (await check_errors(ws, session_id, changes),))
        work.note_checks(results)
        _add_repair_request(ws, execution, step, results)
        failed = failed_check(results)
        if failed is None or failed.ended != "exited":
            break
        is_old = failed_alike_before(failed, execution.checks_before, scope.files.union(work.changed))
        if is_old and (work.is_stuck or not limit):
            excused.append(failed)
            _add_excuse(ws, execution, step, failed)
            continue
        if work.made >= limit or work.is_stuck:
            break
        work.made += 1
        repair = Repair(number=work.made, check=with_tail(failed))
        _begin_repair(ws, execution, plan, step, repair, is_old=is_old)
        files = work.note_turn(await take_turn(ws, session_id, scope, work.taken))
        work.repairs.append(repair.model_copy(update={"files": files}))
    if not work.waits:  # else the next run judges it
        await goes_on()  # a check that was held back has run on trial
    return work


def _begin_repair(ws: Workspace, execution: Execution, plan: Plan, step: Step, repair: Repair, *, is_old: bool) -> None:
    """Write the repair down, then tell the model and the user."""
    session_id, number = execution.session_id, step.step_number
    data = {"step_number": number, "repair": repair.model_dump(mode="json")}
    ws.ports.journal.append(session_id, execution.id, "repair_started", data)
    which = f"{repair.number} of {ws.settings.limits.repairs}"
    task = _OLD if is_old else _TASK
    told = f"Repair {which} of step {number}: {check_text(repair.check)}\n{task}"
    ws.add_message(session_id, "system", told, for_model=True, step=number)
    why = f"the check `{repair.check.command}` {repair.check.ending}"
    text = (
        f"Step {number} of {len(plan.steps)}: repairing {which}, since {why}{', as before the run' if is_old else ''}"
    )
    ws.ports.editor.notify(
        ExecutionProgress(
            execution=execution, text=text, repairing=which, step=number, action=step.action, of=len(plan.steps)
        )
    )


def _add_repair_request(ws: Workspace, execution: Execution, step: Step, results: Sequence[CheckResult]) -> None:
    for check in results:
        if check.failed_first:
            told = f"Step {step.step_number}: the check `{check.command}` failed once, and passed with nothing changed"
            ws.ports.editor.notify(ExecutionProgress(execution=execution, text=told))


def _add_excuse(ws: Workspace, execution: Execution, step: Step, failed: CheckResult) -> None:
    told = f"The check `{failed.command}` fails as it did before the run, which isn't held against the step"
    ws.add_message(execution.session_id, "system", told, for_model=True, step=step.step_number)
    ws.ports.editor.notify(ExecutionProgress(execution=execution, text=f"Step {step.step_number}: {told}"))
