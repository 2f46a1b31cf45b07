"""Run a plan's checks once before its first step, to tell later what had failed already.

They run as commands do in Plan: what is known to read, and else contained, where they change nothing. A check that
can't run so, or needs a question, is left out.
"""

from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from planact.model.notice import ExecutionProgress
from planact.model.rights.permission import Mode
from planact.model.runs.execution import CheckResult, Execution, StepRecord
from planact.plan.syntax.code_span import wrap
from planact.policy.context import Allow, Contain, PolicyContext
from planact.tools.tool_result import Failed
from planact.tools.trace import Trace
from planact.tools.turn import EndTurn
from planact.workflows.history.journal_queries import checks_before_of, own_runs
from planact.workflows.runs.checks.check_results import fails_alike, with_tail
from planact.workflows.runs.checks.run_checks import check_call, run_check
from planact.workflows.sessions.roles import role_of_new_session
from planact.workflows.turns.take_turn import Scope, make_turn, policy_context_of
from planact.workflows.workspace import Workspace

CHEAP_SECONDS = 60.0
"""A check that took less in an earlier run is cheap."""

_LOOKED_BACK = 20
"""Runs of the folder in which it may have been seen."""


async def check_before(ws: Workspace, execution: Execution, checks: Sequence[str]) -> tuple[CheckResult, ...]:
    """Return the checks that fail before the first step, and tell the model and the user. A run that goes on knows them
    from its journal.
    """
    for entry in ws.ports.journal.read(execution.id, ("checked_before",)):
        return checks_before_of(entry)
    chosen = () if execution.steps else _chosen(ws, checks)
    if not chosen:
        return ()
    begins = "The plan's checks run once before the first step, as in Plan"
    ws.ports.editor.notify(ExecutionProgress(execution=execution, text=begins))
    found = [result async for result in _run(ws, execution, chosen)]
    failed = tuple(with_tail(result) for result in found if not result.passed and result.ended == "exited")
    data = {"ran": [result.command for result in found], "failed": [each.model_dump(mode="json") for each in failed]}
    ws.ports.journal.append(execution.session_id, execution.id, "checked_before", data)
    if failed:
        named = ", ".join(wrap(result.command) for result in failed)
        told = f"Before the first step, these checks fail already: {named}."
        ws.add_message(execution.session_id, "system", told, for_model=True)
        ws.ports.editor.notify(ExecutionProgress(execution=execution, text=told))
    return failed


def failed_alike_before(failed: CheckResult, before: Collection[CheckResult], files: Collection[str]) -> bool:
    """Return whether a check failed alike before the run, outside of the step's `files`: what is printed names none of
    them, and neither does the command. A check that prints nothing can't be told apart.
    """
    if not failed.output.strip() or any(path in failed.output or path in failed.command for path in files):
        return False
    return any(fails_alike(failed, each) for each in before)


def _chosen(ws: Workspace, checks: Sequence[str]) -> Sequence[str]:
    match ws.settings.checks.before:
        case "off":
            return ()
        case "on":
            return list(dict.fromkeys(checks))
        case "auto":
            cheap = _cheap(ws) if checks else frozenset()
            return [check for check in dict.fromkeys(checks) if check in cheap]


def _cheap(ws: Workspace) -> frozenset[str]:
    """Return the checks that took less than a minute when they ran last in this folder."""
    seconds: dict[str, float] = {}
    for run in islice(own_runs(ws), _LOOKED_BACK):
        for result in _results(run.steps):
            seconds.setdefault(result.command, result.duration if result.ended == "exited" else CHEAP_SECONDS)
    return frozenset(command for command, taken in seconds.items() if 0 < taken < CHEAP_SECONDS)


def _results(steps: Sequence[StepRecord]) -> Iterator[CheckResult]:
    for record in reversed(steps):
        yield from record.checks


async def _run(ws: Workspace, execution: Execution, checks: Sequence[str]) -> AsyncIterator[CheckResult]:
    trace = Trace()
    acting, _ = make_turn(ws, execution.session_id, Scope(execution_id=execution.id), trace, model="")
    turn = replace(acting, policy_context=lambda: _as_in_plan(ws, execution.session_id))
    for command in checks:
        judged = await ws.gate.explain(check_call(ws, command), (turn.policy_context(),), turn.mode_of_role)
        if isinstance(judged, Failed) or not isinstance(judged[0].verdict, Allow | Contain):
            continue
        try:
            yield await run_check(ws, turn, command)
        except EndTurn:  # the rights have changed since, and it would be asked about
            return


def _as_in_plan(ws: Workspace, session_id: str) -> PolicyContext:
    role = role_of_new_session(ws, Mode.PLAN)
    session = ws.ports.sessions.get(session_id).model_copy(update={"mode": Mode.PLAN, "role": role.name})
    return policy_context_of(ws, session, role, Scope())
