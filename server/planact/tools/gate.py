"""The gate: the one road from a model's tool call to an effect on the world.

decode → effects → decide → ask → journal "started" → run → journal "finished". The mode is read when the verdict is
given, and again after the user was asked, because it may have changed while they thought.
"""

import asyncio
import difflib
import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from pydantic import ValidationError

from planact.base.errors import PlanactError, StorageFailure
from planact.model.effect import CommandEffect, PathEffect
from planact.model.event import Event, EventKind
from planact.model.notice import CommandOutput, ToolNotice
from planact.model.permission import Mode
from planact.model.question import Option, Question
from planact.model.tool_call import ToolCall
from planact.policy.decide import Allow, Ask, Deny, Request, Standing, Touch, Verdict, decide
from planact.ports import Ports
from planact.tools.outcome import Done, Failed, Outcome, Refused
from planact.tools.permit import Conversation, EndTurn, Limits, Permit, Trace
from planact.tools.spec import Args, Tool

log = logging.getLogger(__name__)

ALLOW, REJECT, STOP = "allow_once", "reject_once", "reject_and_stop"


@dataclass(frozen=True, slots=True)
class Turn:
    """What a call is made in. `standing` is asked at each verdict, never before; `model` is the name of the model that
    calls, empty where planact itself does so for a plan.
    """

    session_id: str
    execution_id: str
    standing: Callable[[], Standing]
    conversation: Conversation
    trace: Trace
    limits: Limits
    model: str


class Gate:
    """Judges and runs the calls of all turns in one workspace."""

    def __init__(self, ports: Ports, tools: Mapping[str, Tool[Any]]) -> None:
        self._ports = ports
        self._tools = tools

    async def call(self, call: ToolCall, turn: Turn) -> Outcome:
        """Decode, judge, ask, write down and run one call.

        Raises:
            EndTurn: the call ends the turn.
            StorageFailure: the call could not be written down, so it was not run.
        """
        decoded = self._decode(call)
        if isinstance(decoded, Failed):
            self._record(turn, "tool_called", call.name, turn.standing().mode, outcome=decoded.code)
            return decoded
        tool, args = decoded
        judged = await self._judge(tool, args, turn)
        if isinstance(judged, Refused):
            return self._refuse(judged, call, turn)
        return await self._run(call, tool, args, judged, turn)

    def _decode(self, call: ToolCall) -> tuple[Tool[Any], Args] | Failed:
        tool = self._tools.get(call.name)
        if tool is None:
            near = difflib.get_close_matches(call.name, self._tools, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"The tools are {', '.join(self._tools)}."
            return Failed("UNKNOWN_TOOL", f"no tool named {call.name!r}", hint)
        try:
            return tool, tool.args.model_validate_json(call.arguments or "{}")
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, problem['loc'])) or 'arguments'}: {problem['msg']}"
                for problem in error.errors()[:5]
            )
            hint = f"Call {tool.name} again with arguments that fit its schema."
            return Failed("INVALID_ARGUMENTS", f"the arguments of {tool.name} don't fit: {problems}", hint)

    async def _judge(self, tool: Tool[Any], args: Args, turn: Turn) -> tuple[Mode, tuple[Touch, ...]] | Refused:
        """What is granted: exactly the touches that were judged last, in the mode of that moment."""
        request, mode, verdict = self._verdict(tool, args, turn)
        while isinstance(verdict, Ask):
            subject = hashlib.sha256(f"{tool.name} {args.model_dump_json()}".encode()).hexdigest()
            answer = await turn.conversation.approve(_approval_question(tool, args, verdict), subject)
            if answer != ALLOW:
                message = "The user stopped the work." if answer == STOP else "The user said no to this call."
                hint = "Don't repeat it. Find another way, or ask what they want."
                return Refused("REFUSED_BY_USER", tool.name, mode, message, hint, "user", stops=answer == STOP)
            asked = request
            request, mode, verdict = self._verdict(tool, args, turn)
            if _lead_alike(asked, request):
                break  # else a link was put in place meanwhile, and their yes was to something else
        match verdict:
            case Deny(code=code, reason=reason, hint=hint):
                return Refused(code, tool.name, mode, reason, hint)
            case Allow() | Ask():
                return mode, request.touches
            case _:
                assert_never(verdict)

    def _verdict(self, tool: Tool[Any], args: Args, turn: Turn) -> tuple[Request, Mode, Verdict]:
        needs_approval = tool.requires_approval or tool.risk == "high"
        request = Request(tool.name, tool.required_permissions, needs_approval, self._touches(tool, args))
        standing = turn.standing()
        return request, standing.mode, decide(request, standing)

    def _touches(self, tool: Tool[Any], args: Args) -> tuple[Touch, ...]:
        files = self._ports.files
        touches: list[Touch] = []
        for effect in tool.effects(args):
            if isinstance(effect, (PathEffect, CommandEffect)):
                place = files.resolve(effect.path if isinstance(effect, PathEffect) else effect.directory)
                touches.append(Touch(effect, place, place.relative is not None and files.is_hidden(place)))
            else:
                touches.append(Touch(effect))
        return tuple(touches)

    def _refuse(self, refused: Refused, call: ToolCall, turn: Turn) -> Refused:
        data = {"layer": refused.layer, "code": refused.code, "message": refused.message}
        entry = {"tool": refused.tool, "mode": refused.mode.value, **data, "call": call.model_dump()}
        self._ports.journal.append(turn.session_id, turn.execution_id, "call_refused", entry)
        self._record(turn, "tool_refused", refused.tool, refused.mode, **data)
        if refused.mode is Mode.PLAN and refused.layer == "policy":
            self._record(turn, "disallowed_tool_attempt_in_planning", refused.tool, refused.mode, **data)
        self._ports.editor.tell(ToolNotice(turn.session_id, refused.tool, refused.message, refused.code))
        return refused

    async def _run(
        self, call: ToolCall, tool: Tool[Any], args: Args, granted: tuple[Mode, tuple[Touch, ...]], turn: Turn
    ) -> Outcome:
        mode, touches = granted

        def write_down(kind: str, data: dict[str, Any]) -> None:
            self._ports.journal.append(turn.session_id, turn.execution_id, kind, {"call_id": call.id, **data})

        def on_output(text: str) -> None:
            self._ports.editor.tell(CommandOutput(turn.session_id, text))

        permit = Permit(
            self._ports,
            [(touch.effect, touch.place) for touch in touches],
            turn.conversation,
            turn.trace,
            turn.limits,
            write_down,
            on_output,
        )
        write_down("call_started", {"tool": tool.name, "arguments": call.arguments})
        self._ports.editor.tell(ToolNotice(turn.session_id, tool.name, _describe(args)))
        outcome: Outcome | None = None
        try:
            outcome = await _run_tool(tool, args, permit)
        finally:
            # Also when cancelled: an entry that says "interrupted" is how a later run knows that this call may have
            # acted.
            end = "interrupted" if outcome is None else "done" if isinstance(outcome, Done) else outcome.code
            write_down("call_finished", {"tool": tool.name, "outcome": end})
            self._record(turn, "tool_called", tool.name, mode, outcome=end)
        if isinstance(outcome, Done):
            turn.trace.done += 1
        elif isinstance(outcome, Failed):
            self._ports.editor.tell(ToolNotice(turn.session_id, tool.name, outcome.message, outcome.code))
        return outcome

    def _record(self, turn: Turn, kind: EventKind, tool: str, mode: Mode, **more: str) -> None:
        time = self._ports.clock.now().isoformat()
        data = {"tool": tool, "mode": mode.value, "model": turn.model, **more}
        self._ports.events.record(Event(kind=kind, session_id=turn.session_id, time=time, data=data))


def _lead_alike(one: Request, other: Request) -> bool:
    return [t.place and t.place.real for t in one.touches] == [t.place and t.place.real for t in other.touches]


async def _run_tool(tool: Tool[Any], args: Args, permit: Permit) -> Outcome:
    try:
        return Done(await tool.run(args, permit))
    except (StorageFailure, EndTurn, asyncio.CancelledError):
        raise
    except PlanactError as error:
        return Failed(error.code, error.message, error.hint)
    except Exception as error:
        log.exception("tool %s failed", tool.name)
        return Failed("INTERNAL_ERROR", f"{tool.name} failed: {type(error).__name__}: {error}", "Go another way.")


def _approval_question(tool: Tool[Any], args: Args, verdict: Ask) -> Question:
    severity = "major" if tool.risk == "high" else "minor"
    return Question.model_validate(
        {
            "name": "approval",
            "question": f"May {tool.name} run? {verdict.reason[:1].upper()}{verdict.reason[1:]}.",
            "context": f"```\n{_describe(args, 4_000)}\n```",
            "severity": severity,
            "options": [
                Option(label="Allow once", value=ALLOW, variant="primary"),
                Option(label="Reject", value=REJECT),
                Option(label="Reject and stop", value=STOP, variant="danger"),
            ],
        }
    )


def _describe(args: Args, limit: int = 200) -> str:
    """The arguments for people: a lone value as it is, several by name."""
    values = args.model_dump(exclude_defaults=True)
    lines = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values.values()]
    text = lines[0] if len(lines) == 1 else "\n".join(f"{n}: {v}" for n, v in zip(values, lines, strict=True))
    return text if len(text) <= limit else f"{text[:limit]}…"
