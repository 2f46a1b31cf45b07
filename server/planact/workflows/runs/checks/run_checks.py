"""Run the checks of a step."""

from collections.abc import Sequence

from planact.model.chat.message import ToolCall
from planact.model.rights.command import CommandResult
from planact.model.runs.execution import CheckEnd, CheckResult
from planact.tools.trace import Trace
from planact.tools.turn import Turn
from planact.workflows.runs.checks.check_results import failed_check, fails_alike
from planact.workflows.turns.take_turn import Scope, make_turn
from planact.workflows.workspace import Workspace

_QUICK_SECONDS = 30.0
"""A check that takes less runs once more before its failure counts."""


async def run_checks(
    ws: Workspace,
    session_id: str,
    scope: Scope,
    trace: Trace,
    checks: Sequence[str],
    excused: Sequence[CheckResult],
    known: Sequence[CheckResult],
) -> list[CheckResult]:
    """Run the checks through the gate, like any other command, until one fails that isn't `excused` for failing so.
    A quick one that fails, changes nothing and isn't `known` to fail so runs once more: it may fail by chance. Their
    changes are in `trace`, and their calls aren't, since they are no work on the step.

    Raises:
        EndTurn: the user has to be asked about one, and can't be.
    """
    turn, _ = make_turn(ws, session_id, scope, trace, model="")
    results: list[CheckResult] = []
    for command in dict.fromkeys(checks):
        changed = dict(trace.changed)
        result = await run_check(ws, turn, command)
        if _may_be_chance(result, known) and changed == trace.changed:
            again = await run_check(ws, turn, command)
            result = again.model_copy(update={"failed_first": True}) if again.passed else result
        is_excused = not result.passed and any(fails_alike(result, each) for each in excused)
        results.append(result.model_copy(update={"failed_before": is_excused}))
        if failed_check(results):
            break
    return results


def _may_be_chance(result: CheckResult, known: Sequence[CheckResult]) -> bool:
    is_quick = result.ended == "exited" and result.duration < _QUICK_SECONDS
    return not result.passed and is_quick and not any(fails_alike(result, each) for each in known)


async def run_check(ws: Workspace, turn: Turn, command: str) -> CheckResult:
    """Run one check. Raises as `run_checks`."""
    trace = turn.trace
    ran, worked = len(trace.commands), len(trace.calls)
    try:
        outcome = await ws.gate.call(check_call(ws, command), turn)
    finally:
        del trace.calls[worked:]
    if ran < len(trace.commands):
        return _result(command, trace.commands[-1])
    return CheckResult(command=command, exit_code=None, output=outcome.for_model(), passed=False, ended="not_run")


def check_call(ws: Workspace, command: str) -> ToolCall:
    """Return the call that runs a check."""
    return ToolCall.of(f"check_{ws.ports.ids.uuid7()}", "execute_command", {"command": command})


def _result(command: str, result: CommandResult) -> CheckResult:
    passed = result.ended == "exited" and result.exit_code == 0
    ended: CheckEnd = "held" if not passed and (result.refusal or result.hidden) else result.ended
    return CheckResult(
        command=command,
        exit_code=result.exit_code,
        output=result.output,
        passed=passed,
        ended=ended,
        duration=result.duration,
    )
