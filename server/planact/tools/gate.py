"""The gate: the one road from a model's tool call to an effect on the world.

decode → judge → ask → journal "started" → run → journal "finished". Each station is a file in `calls/` and hands one
value on: `ToolCall` → `DecodedCall` → `JudgedCall` → `ToolResult`. A call whose effects only a language server knows is
prepared and judged again before the user is asked. The mode is read when the verdict is given, again
after the user was asked, and again right before the call acts.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from planact.model.chat.message import ToolCall
from planact.model.rights.permission import Rights
from planact.policy.context import PolicyContext, Try
from planact.ports import Ports
from planact.tools.call_records import CallRecords
from planact.tools.calls.ask import ask_to_run
from planact.tools.calls.decode import DecodedCall, decode_call
from planact.tools.calls.judge import decide_call, judge_call, request_of
from planact.tools.calls.judged_call import JudgedCall
from planact.tools.calls.prepare import prepare_call
from planact.tools.calls.question import describe
from planact.tools.calls.run import run_call
from planact.tools.diagnostics.check_edits import with_edit_checks
from planact.tools.tool import Tool
from planact.tools.tool_result import Failed, Refused, ToolResult, with_note
from planact.tools.turn import ModeOfRole, Turn

_MOST_OPENED = 5
"""Paths that one command is given on trial; one that wants more needs the rights of an approved command."""


class Gate:
    """Judges and runs the calls of all turns in one workspace."""

    def __init__(self, ports: Ports, tools: Mapping[str, Tool[Any]]) -> None:
        self._ports = ports
        self._tools = tools

    def with_tools(self, more: Mapping[str, Tool[Any]]) -> "Gate":
        """Return a gate for these tools besides; none of them takes the place of a tool of this gate."""
        return Gate(self._ports, {**more, **self._tools})

    def decode(self, call: ToolCall, rights: Rights | None = None) -> DecodedCall | Failed:
        """Return the call that `call` means; Failed = UNKNOWN_TOOL or INVALID_ARGUMENTS."""
        return decode_call(call, self._tools, rights)

    async def call(self, call: ToolCall, turn: Turn) -> ToolResult:
        """Decode, judge, ask, write down and run one call.

        Raises:
            EndTurn: the call ends the turn.
            StorageFailure: the call could not be written down, so it was not run.
        """
        records = CallRecords(self._ports, turn, call)
        decoded = self.decode(call)
        if isinstance(decoded, Failed) and decoded.code == "UNKNOWN_TOOL":
            decoded = self.decode(call, await turn.refresh(lambda: turn.policy_context().role.rights))
        if isinstance(decoded, Failed):
            records.record_failed(decoded)
            return decoded
        decoded = replace(decoded, opens=turn.trace.opened.get(describe(decoded.args), ()))
        judged = await judge_call(self._ports, decoded, turn)
        prepared = await prepare_call(self._ports, judged, turn)
        if isinstance(prepared, Failed):
            records.record_failed(prepared)
            return prepared
        if prepared is not decoded:
            judged = await judge_call(self._ports, prepared, turn)
        permitted = await ask_to_run(self._ports, judged, turn)
        if isinstance(permitted, Failed):
            records.record_failed(permitted)
            return permitted
        if isinstance(permitted, Refused):
            records.record_refused(permitted, judged.request, describe(decoded.args))
            return permitted
        result = await self._run(permitted, turn, records)
        while isinstance(result, Refused) and result.held_back:
            offered = await self._ask_for_refused_rights(permitted, result, turn, records)
            if offered is None:
                break
            permitted, result = offered
        if isinstance(result, Refused) and result.layer == "sandbox" and permitted.confinement == "act":
            result = await self._try_instead(permitted, result, turn, records)
        result = with_note(result, told) if (told := turn.trace.take_put_back()) else result
        result = with_note(result, f"{'; '.join(decoded.notes)}.") if decoded.notes else result
        return await with_edit_checks(self._ports, turn, result)

    async def _run(self, permitted: JudgedCall, turn: Turn, records: CallRecords) -> ToolResult:
        if turn.outcomes and permitted.runs_beyond_trial:
            await turn.outcomes.judge()
        return await run_call(self._ports, permitted, turn, records)

    async def _ask_for_refused_rights(
        self, tried: JudgedCall, held: Refused, turn: Turn, records: CallRecords
    ) -> tuple[JudgedCall, ToolResult] | None:
        """Ask whether a command may have what it was held back from: on trial again where it can be opened there, else
        with the rights of an approved command. Return the call with its result, or None where a no has settled that.
        """
        decoded, shown = tried.decoded, describe(tried.decoded.args)
        if (shown, held.held_back) in turn.trace.not_given:
            return None
        is_new = held.openable and held.openable not in decoded.opens and len(decoded.opens) < _MOST_OPENED
        more = (held.openable,) if is_new else ()
        decoded = replace(decoded, held_back=held.held_back, opens=(*decoded.opens, *more) if more else ())
        permitted = await ask_to_run(self._ports, await judge_call(self._ports, decoded, turn), turn)
        if isinstance(permitted, JudgedCall):
            if permitted.confinement == "trial":
                turn.trace.opened[shown] = decoded.opens
            return permitted, await self._run(permitted, turn, records)
        turn.trace.not_given.add((shown, held.held_back))
        if isinstance(permitted, Refused):
            records.record_refused(permitted, tried.request, shown)
            permitted = replace(permitted, output=held.output)
        return tried, permitted

    async def _try_instead(self, held: JudgedCall, refusal: Refused, turn: Turn, records: CallRecords) -> ToolResult:
        """Run a command on trial that the jail of approved commands held back: that one has neither sockets of its own
        nor terminals nor a home to write to. Return the refusal where the trial isn't for it, or it fails there, too.
        """
        if held.decoded.held_back:
            return refusal
        judged = await judge_call(self._ports, replace(held.decoded, is_held_in_act=True), turn)
        if not isinstance(judged.verdict, Try):
            return refusal
        ran = len(turn.trace.commands)
        result = await self._run(judged, turn, records)
        if isinstance(result, Refused) or any(ended.exit_code != 0 for ended in turn.trace.commands[ran:]):
            del turn.trace.commands[ran:]
            return refusal
        return result

    async def explain(
        self, call: ToolCall, contexts: Sequence[PolicyContext], mode_of_role: ModeOfRole
    ) -> tuple[JudgedCall, ...] | Failed:
        """Return the verdict on a call in each context; no question is asked, and the call is neither run nor
        recorded.
        """
        decoded = self.decode(call)
        if isinstance(decoded, Failed):
            return decoded
        request = await request_of(self._ports, decoded, mode_of_role, asyncio.to_thread, "explained")
        return tuple(decide_call(self._ports, decoded, request, context) for context in contexts)
