"""Run the checks of a step, and tell whether two failures are the same."""

import json
import re
from collections.abc import Sequence

from planact.model.chat.message import ToolCall
from planact.model.rights.command import CommandResult
from planact.model.runs.execution import CheckEnd, CheckResult
from planact.tools.trace import Trace
from planact.workflows.turns.take_turn import Scope, make_turn
from planact.workflows.workspace import Workspace

_TEMPORARY = re.compile(r"(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)/[^\s'\":,;)\]]*")
_HEX = re.compile(r"\b0x[0-9a-f]+\b|\b(?=[a-f-]*\d)[0-9a-f]{6,}(?:-[0-9a-f]{2,})*\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d.,:]*(?:\s?(?:ns|[µu]s|ms|s|secs?|seconds?|min(?:ute)?s?|h)\b)?")
_RULER = re.compile(r"([^\w\s])\1+")
_SPACE = re.compile(r"\s+")


async def run_checks(
    ws: Workspace, session_id: str, scope: Scope, trace: Trace, checks: Sequence[str]
) -> Sequence[CheckResult]:
    """Run the checks through the gate, like any other command, until one fails. Their changes are in `trace`, and their
    calls aren't, since they are no work on the step.

    Raises:
        EndTurn: the user has to be asked about one, and can't be.
    """
    turn, _ = make_turn(ws, session_id, scope, trace, model="")
    results: list[CheckResult] = []
    worked = len(trace.calls)
    for command in dict.fromkeys(checks):
        call = ToolCall(
            id=f"check_{ws.ports.ids.uuid7()}",
            name="execute_command",
            arguments=json.dumps({"command": command}, ensure_ascii=False),
        )
        ran = len(trace.commands)
        try:
            outcome = await ws.gate.call(call, turn)
        finally:
            del trace.calls[worked:]
        if ran < len(trace.commands):
            results.append(_result(command, trace.commands[-1]))
        else:
            told = outcome.for_model()
            results.append(CheckResult(command=command, exit_code=None, output=told, passed=False, ended="not_run"))
        if not results[-1].passed:
            break
    return results


def failed_check(results: Sequence[CheckResult]) -> CheckResult | None:
    """Return the check that failed, if one did."""
    return next((result for result in results if not result.passed), None)


def fails_alike(one: CheckResult, other: CheckResult) -> bool:
    """Two failures are the same, but for numbers, times, temporary paths and hexadecimal words in their output."""
    return (one.command, one.ended, one.exit_code) == (other.command, other.ended, other.exit_code) and (
        _stable(one.output) == _stable(other.output)
    )


def _result(command: str, result: CommandResult) -> CheckResult:
    passed = result.ended == "exited" and result.exit_code == 0
    ended: CheckEnd = "held" if not passed and (result.refusal or result.hidden) else result.ended
    return CheckResult(command=command, exit_code=result.exit_code, output=result.output, passed=passed, ended=ended)


def _stable(output: str) -> str:
    """Return what stays of an output when the same failure is printed again. Rulers are as long as the line lacks."""
    for varying in (_TEMPORARY, _HEX, _NUMBER):
        output = varying.sub("", output)
    return _SPACE.sub(" ", _RULER.sub(r"\1", output)).strip()
