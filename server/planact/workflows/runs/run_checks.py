"""Run the checks of a step, and tell whether two failures are the same."""

import json
import re
from collections.abc import Sequence

from planact.model.chat.message import ToolCall
from planact.model.rights.command import CommandResult
from planact.model.runs.execution import CheckEnd, CheckResult
from planact.tools.trace import Trace
from planact.tools.turn import Turn
from planact.workflows.turns.take_turn import Scope, make_turn
from planact.workflows.workspace import Workspace

MAX_OUTPUT = 4_000
"""Characters of what a failed check printed that are shown; a longer output loses its beginning."""

_TEMPORARY = re.compile(r"(?:/private)?/(?:tmp|var/tmp|var/folders|dev/shm)/[^\s'\":,;)\]]*")
_HEX = re.compile(r"\b0x[0-9a-f]+\b|\b(?=[a-f-]*\d)(?=[\d-]*[a-f])[0-9a-f]{6,}(?:-[0-9a-f]{2,})*\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*(?:\s?(?:ns|[µu]s|ms|s|secs?|seconds?|min(?:ute)?s?|h)\b)?")
_RULER = re.compile(r"([^\w\s])\1+")
_SPACE = re.compile(r"\s+")


async def run_checks(
    ws: Workspace, session_id: str, scope: Scope, trace: Trace, checks: Sequence[str], excused: Sequence[CheckResult]
) -> Sequence[CheckResult]:
    """Run the checks through the gate, like any other command, until one fails that isn't `excused` for failing so.
    Their changes are in `trace`, and their calls aren't, since they are no work on the step.

    Raises:
        EndTurn: the user has to be asked about one, and can't be.
    """
    turn, _ = make_turn(ws, session_id, scope, trace, model="")
    results: list[CheckResult] = []
    for command in dict.fromkeys(checks):
        result = await run_check(ws, turn, command)
        is_excused = not result.passed and any(fails_alike(result, each) for each in excused)
        results.append(result.model_copy(update={"failed_before": is_excused}))
        if failed_check(results):
            break
    return results


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
    arguments = json.dumps({"command": command}, ensure_ascii=False)
    return ToolCall(id=f"check_{ws.ports.ids.uuid7()}", name="execute_command", arguments=arguments)


def with_tail(check: CheckResult) -> CheckResult:
    """Return the check with the end of its output, since a record may have many of them."""
    return check.model_copy(update={"output": tail(check.output)})


def failed_check(results: Sequence[CheckResult]) -> CheckResult | None:
    """Return the check that failed, if one did that isn't excused."""
    return next((result for result in results if not result.passed and not result.failed_before), None)


def fails_alike(one: CheckResult, other: CheckResult) -> bool:
    """Two failures are the same, but for numbers, times, temporary paths and hexadecimal words in their output."""
    return (one.command, one.ended, one.exit_code) == (other.command, other.ended, other.exit_code) and (
        _stable(tail(one.output)) == _stable(tail(other.output))
    )


def tail(text: str) -> str:
    """The end of an output, which says what went wrong."""
    text = text.strip("\n")
    return text if len(text) <= MAX_OUTPUT else f"… {len(text) - MAX_OUTPUT} characters\n{text[-MAX_OUTPUT:]}"


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


def _stable(output: str) -> str:
    """Return what stays of an output when the same failure is printed again. Rulers are as long as the line lacks."""
    for varying in (_TEMPORARY, _HEX, _NUMBER):
        output = varying.sub("", output)
    return _SPACE.sub(" ", _RULER.sub(r"\1", output)).strip()
