"""Last station of the gate: write down that the call starts, run its tool with a permit, write down how it ended."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from planact.base.errors import PlanactError, StorageFailure
from planact.model.rights.classification import Classification
from planact.model.rights.command import CommandResult
from planact.model.rights.jail import CHANGING, Confinement
from planact.model.rights.permission import McpEffect, Mode, OutputEffect, PathEffect, RunningEffect
from planact.policy.commands import only_reads
from planact.policy.context import PLAN_MODE_MESSAGE
from planact.ports import Ports
from planact.tools.call_records import CallRecords
from planact.tools.calls.judge import outside_paths, recheck_call
from planact.tools.calls.judged_call import JudgedCall, NoLongerAllowed
from planact.tools.calls.question import describe, subject_of
from planact.tools.permits.permit import Permit, RefusedByJail
from planact.tools.tool_result import Done, Failed, Refused, ToolResult, with_comment
from planact.tools.trace import CallDone, CallTime
from planact.tools.turn import EndTurn, Grant, Turn

log = logging.getLogger(__name__)

_JAILED_IN_ACT = ("BLOCKED_BY_SANDBOX", "The command was held back by the sandbox.")


async def run_call(ports: Ports, judged: JudgedCall, turn: Turn, records: CallRecords) -> ToolResult:
    """Run a call that may run, between its entries "started" and "finished" in the journal.

    Raises:
        EndTurn: the call ends the turn.
        StorageFailure: the entry "started" can't be written; the tool was not run.
    """
    tool, args = judged.decoded.tool, judged.decoded.args
    permit = Permit(ports, turn, _grant(ports, judged, turn), records, partial(recheck_call, ports, judged, turn))
    started = {"tool": tool.name, "arguments": judged.decoded.call.arguments, "shown": describe(args)}
    is_tried = judged.runs_command and judged.confinement == "trial"
    entry = {**started, "is_unsure": _is_unsure(judged, turn), "is_tried": is_tried}
    # Reading files leaves nothing that has to be known after a power cut, so it doesn't wait for the disk.
    records.write("call_started", entry, is_synced=not judged.request.is_reading)
    records.show_start(tool.name, describe(args), judged.confinement if judged.runs_command else None)
    about, time = subject_of(judged.request, args), CallTime(ports.clock.now().isoformat(), ports.clock.seconds())
    records.show_run(about, time.started_at, is_over=False)
    commands = len(turn.trace.commands)
    result: ToolResult | None = None
    try:
        result = await _run_tool(judged, permit)
    finally:
        turn.trace.times[judged.decoded.call.id] = time.ended(ports.clock.seconds())
        records.show_run(about, time.started_at, is_over=True)
        # Also when cancelled: an entry that says "interrupted" is how a later run knows that this call may have
        # acted. One that a power cut takes says no less by its absence, so nothing waits for the disk here.
        end = "interrupted" if result is None else "done" if isinstance(result, Done) else result.code
        records.write("call_finished", {"tool": tool.name, "outcome": end}, is_synced=False)
        if not isinstance(result, Refused):
            records.record_event("tool_called", tool.name, judged.mode, outcome=end)
    if isinstance(result, Refused):
        records.record_refused(result, judged.request, describe(args))
    elif isinstance(result, Failed):
        records.show_failure(result)
    else:
        turn.trace.calls.append(_call_done(judged, turn.trace.commands[commands:]))
        if judged.decision.rejected:
            turn.trace.rejected.update(judged.decision.rejected)
            return _done_in_part(result, judged, records)
    return result


def _grant(ports: Ports, judged: JudgedCall, turn: Turn) -> Grant:
    touches = judged.request.touches
    return Grant(
        mode=judged.mode,
        effects=judged.granted,
        confinement=judged.confinement,
        reason="; ".join(_reason(touch.found, judged.confinement) for touch in touches if touch.found),
        rejected=judged.decision.rejected,
        outside=tuple(dict.fromkeys(path for touch in touches if touch.found for path in outside_paths(touch))),
        scratch=ports.scratch.of(turn.session_id) if judged.runs_command else "",
        only_reads=all(only_reads(touch.found) for touch in touches if touch.found),
    )


def _reason(found: Classification, confinement: Confinement) -> str:
    is_in_own_tmp = confinement == "contain" and "own-tmp" in found.traits
    return "it works below `/tmp`, here a folder of this session" if is_in_own_tmp else found.reason


def _is_unsure(judged: JudgedCall, turn: Turn) -> bool:
    """Return whether the journal can't tell how far an interrupted call came.

    Changes of files are journaled one by one; commands and MCP servers act unseen. A plan's checks may be repeated.
    """
    calls_mcp = any(isinstance(touch.effect, McpEffect) for touch in judged.request.touches)
    return bool(turn.model) and (calls_mcp or (judged.runs_command and judged.confinement in CHANGING))


async def _run_tool(judged: JudgedCall, permit: Permit) -> ToolResult:
    tool, mode = judged.decoded.tool, judged.mode
    try:
        text = await tool.run(judged.decoded.args, permit)
        return Done(text, tuple(permit.pictures), tuple(permit.outputs))
    except NoLongerAllowed as later:
        return later.refusal
    except RefusedByJail as refusal:
        code, message = ("TOOL_BLOCKED_BY_MODE", PLAN_MODE_MESSAGE) if mode is Mode.PLAN else _JAILED_IN_ACT
        return Refused(
            code,
            tool.name,
            mode,
            message,
            refusal.hint,
            "sandbox",
            output=refusal.output,
            held_back=refusal.held_back,
            openable=refusal.openable,
        )
    except (StorageFailure, EndTurn, asyncio.CancelledError):
        raise
    except PlanactError as error:
        return Failed(error.code, error.message, error.hint)
    except Exception as error:
        log.exception("tool %s failed", tool.name)
        return Failed("INTERNAL_ERROR", f"{tool.name} failed: {type(error).__name__}: {error}", "Go another way.")


def _done_in_part(done: Done, judged: JudgedCall, records: CallRecords) -> Done:
    """Record the changes that the user rejected as refused, and tell the model."""
    names = ", ".join(sorted(judged.decision.rejected))
    message = f"The user rejected the change of {names}, which was not made."
    message = with_comment(message, judged.decision.comment)
    refused = Refused("REFUSED_BY_USER", judged.request.tool, judged.mode, message, layer="user")
    records.record_refused(refused, judged.request, describe(judged.decoded.args))
    told = f"{message} Don't repeat it. Find another way, or ask what they want."
    return replace(done, text=f"{done.text}\n[planact] {told}")


def _call_done(judged: JudgedCall, ended: Sequence[CommandResult]) -> CallDone:
    """Return the record of a call that ran; `ended` = its commands that ended, none for one in the background."""
    tool, rejected = judged.decoded.tool, judged.decision.rejected
    made = [touch for touch in judged.request.touches if touch.place is None or touch.place.shown not in rejected]
    about = subject_of(replace(judged.request, touches=tuple(made)), judged.decoded.args)
    paths = frozenset(touch.place.shown for touch in made if isinstance(touch.effect, PathEffect) and touch.place)
    is_more = not tool.read_only and any(
        not isinstance(touch.effect, RunningEffect | OutputEffect) for touch in judged.request.touches
    )
    has_effect = judged.confinement in CHANGING if judged.runs_command else is_more
    if not judged.runs_command or not ended:
        return CallDone(tool.name, about, None, has_succeeded=True, has_effect=has_effect, paths=paths)
    last = ended[-1]
    has_succeeded = last.ended == "exited" and last.exit_code == 0
    return CallDone(tool.name, about, last.exit_code, has_succeeded, has_succeeded and has_effect, paths)
