"""The gate: the one road from a model's tool call to an effect on the world.

decode → effects → decide → ask → journal "started" → run → journal "finished". The mode is read when the verdict is
given, and again after the user was asked, because it may have changed while they thought.
"""

import asyncio
import difflib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from pydantic import ValidationError

from planact.base.errors import Conflict, PlanactError, StorageFailure
from planact.model.change import Change
from planact.model.command import CommandResult
from planact.model.effect import CommandEffect, Effect, McpEffect, PathEffect, RunningEffect, SpawnEffect
from planact.model.event import Event, EventKind
from planact.model.notice import CommandOutput, FilesEdited, ToolNotice
from planact.model.permission import Mode
from planact.model.question import Decision, ProposedEdit, Question, Severity
from planact.model.rule import Allowed, Rule
from planact.model.tool_call import ToolCall
from planact.policy.commands import only_reads
from planact.policy.decide import confinement, decide, rules_for
from planact.policy.standing import Request, Standing, Touch
from planact.policy.verdict import PLAN_MODE_MESSAGE, Ask, Deny
from planact.ports import Ports
from planact.tools.approval import (
    ALLOW,
    ALWAYS,
    MAX_COMMAND,
    MAX_RULES,
    STOP,
    approval_question,
    describe,
    show_call,
    subject_of,
)
from planact.tools.background import Background
from planact.tools.edit.difference import line_counts
from planact.tools.judged import Judged, NoLongerAllowed
from planact.tools.outcome import Done, Failed, Outcome, Refused
from planact.tools.permit import Conversation, EndTurn, Limits, Permit, RefusedByJail
from planact.tools.proposal import proposed, tied, without
from planact.tools.sight import Sight
from planact.tools.spec import Args, Tool
from planact.tools.trace import CallDone, Trace

log = logging.getLogger(__name__)

_MOST_ASKED = 5
"""Times that one call is asked about anew: who answers may be a file."""

Look = Callable[[Callable[[], Any]], Awaitable[Any]]
ModeOfRole = Callable[[str], Mode | None]

_JAILED_IN_ACT = ("BLOCKED_BY_SANDBOX", "The command was held back by the sandbox.")


@dataclass(frozen=True, slots=True)
class Turn:
    """What a call is made in. `standing` is asked at each verdict, never before, and right after a `look`, which does
    something beside the event loop and reads there what `standing` needs from a disk that may be slow. `model` is the
    name of the model that calls, empty where planact itself does so for a plan; `mode_of_role` says which mode a role
    is for, None = there is no such role; `tools` are there besides the built-in ones; `variables` are in the
    environment of commands; what is started in the `background` ends with the run.
    """

    session_id: str
    execution_id: str
    standing: Callable[[], Standing]
    conversation: Conversation
    trace: Trace
    limits: Limits
    model: str
    mode_of_role: ModeOfRole
    tools: Mapping[str, Tool[Any]] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    background: Background | None = None
    look: Look = asyncio.to_thread


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
        decoded = self._decode(call, turn.tools)
        if isinstance(decoded, Failed):
            return self._fail(decoded, call, turn)
        judged = await self._judge(*decoded, turn)
        if isinstance(judged, Failed):
            return self._fail(judged, call, turn)
        if isinstance(judged, Refused):
            return self._refuse(judged, call, decoded[1], turn)
        return await self._run(call, *decoded, judged, turn)

    def _decode(self, call: ToolCall, more: Mapping[str, Tool[Any]]) -> tuple[Tool[Any], Args] | Failed:
        tools = {**more, **self._tools}  # nothing from outside takes the place of a built-in tool
        tool = tools.get(call.name)
        if tool is None:
            near = difflib.get_close_matches(call.name, tools, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"The tools are {', '.join(tools)}."
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

    async def _judge(self, tool: Tool[Any], args: Args, turn: Turn) -> Judged | Refused | Failed:
        """What is granted: exactly what was judged last."""
        judged: Judged | Refused | Failed = await self._verdict(tool, args, turn)
        times = 0
        while isinstance(judged, Judged) and isinstance(judged.verdict, Ask) and not judged.has_a_yes:
            if times == _MOST_ASKED:
                message = "what the user is asked about changes each time before they have answered"
                return Failed("EDIT_CONFLICT", message, "Wait until whatever changes it is done, or ask about it.")
            times += 1
            judged = await self._ask(tool, args, judged, turn)
        return (judged.refusal or judged) if isinstance(judged, Judged) else judged

    async def _ask(self, tool: Tool[Any], args: Args, asked: Judged, turn: Turn) -> Judged | Refused | Failed:
        """Ask the user, and judge anew: only what is still what they saw has their yes."""
        try:
            changes, edits = await asyncio.to_thread(self._proposal, tool, args, asked, turn)
        except PlanactError as error:
            return Failed(error.code, error.message, error.hint)  # it can't be done: there is nothing to ask about
        question = self._question(tool, args, asked, changes)
        try:
            decision = await turn.conversation.approve(question, asked.subject(args, edits), edits)
        except Conflict as conflict:
            return Failed(conflict.code, conflict.message, conflict.hint)  # it couldn't be asked
        decision = replace(decision, rejected=tied(changes or (), decision.rejected))
        if refused := _refused_by_user(decision, changes or (), asked):
            return refused
        judged = await self._verdict(tool, args, turn)
        if isinstance(judged.verdict, Deny):
            return judged
        try:
            # A link may have been put in place, or a file changed: then their yes was to something else.
            has_a_yes = judged.is_like(asked) and self._proposal(tool, args, judged, turn)[1] == edits
        except PlanactError as error:
            return Failed(error.code, error.message, error.hint)
        if has_a_yes and decision.value == ALWAYS:
            self._keep(asked.rules)
        return replace(judged, decision=decision, has_a_yes=has_a_yes)

    async def explain(
        self,
        call: ToolCall,
        standings: Sequence[Standing],
        mode_of_role: ModeOfRole,
        more: Mapping[str, Tool[Any]],
    ) -> tuple[Judged, ...] | Failed:
        """What the verdicts on a call would be in these standings; `more` are tools that a turn may have besides. Asks
        nobody, runs and records nothing.
        """
        decoded = self._decode(call, more)
        if isinstance(decoded, Failed):
            return decoded
        request = await self._request(*decoded, mode_of_role, asyncio.to_thread)
        return tuple(self._decided(request, standing) for standing in standings)

    async def _verdict(self, tool: Tool[Any], args: Args, turn: Turn) -> Judged:
        request = await self._request(tool, args, turn.mode_of_role, turn.look)
        return self._decided(request, turn.standing())  # after all that was awaited, so that it is what holds now

    async def _hold(self, judged: Judged, turn: Turn, look: Callable[[], Any]) -> Any:
        found = await turn.look(look)
        judged.hold_against(self._decided(judged.request, turn.standing()))
        return found

    async def _request(self, tool: Tool[Any], args: Args, mode_of_role: ModeOfRole, look: Look) -> Request:
        effects = tool.effects(args)
        read = {effect: await self._read(effect) for effect in effects if isinstance(effect, CommandEffect)}

        def touched() -> Sequence[Touch]:
            return [touch for effect in effects for touch in self._touches(effect, read, mode_of_role)]

        touches = await look(touched)
        needs_approval = tool.requires_approval or tool.risk == "high"
        return Request(tool.name, tool.required_permissions, needs_approval, tuple(touches))

    def _decided(self, request: Request, standing: Standing) -> Judged:
        verdict = decide(request, standing)
        rules = self._offered(rules_for(verdict, standing)) if isinstance(verdict, Ask) else frozenset()
        return Judged(request, standing.mode, verdict, confinement(request, standing, verdict), rules)

    def _offered(self, rules: frozenset[Allowed]) -> frozenset[Allowed]:
        """All of them, or none: those that can be kept as they are, and that the user can oversee."""
        is_short = len(rules) <= MAX_RULES and all(len(str(rule)) <= MAX_COMMAND for rule in rules)
        return rules if is_short and all(map(self._ports.rules.can_keep, rules)) else frozenset()

    def _proposal(
        self, tool: Tool[Any], args: Args, judged: Judged, turn: Turn
    ) -> tuple[Sequence[Change] | None, tuple[ProposedEdit, ...]]:
        """What it would do to files as they are now. Raises PlanactError, where that can't be done."""
        granted = [(touch.effect, touch.place) for touch in judged.request.touches]
        sight = Sight(self._ports, granted, turn.limits.file_bytes, {}, turn.trace.known)
        changes = tool.changes(args, sight) if tool.changes else None
        return changes, proposed(self._ports, changes or (), turn.limits.file_bytes)

    def _question(self, tool: Tool[Any], args: Args, judged: Judged, changes: Sequence[Change] | None) -> Question:
        assert isinstance(judged.verdict, Ask)
        is_contained = judged.runs and judged.confinement == "contain"
        contained = ". It would run where it can change and reach nothing" if is_contained else ""
        reason = f"{judged.verdict.reason}{contained}."
        severity: Severity = "major" if tool.risk == "high" else "minor"
        shown = show_call(judged.request, args, changes)
        return approval_question(judged.request, changes, reason, shown, judged.rules, severity)

    def _keep(self, rules: frozenset[Allowed]) -> None:
        for allows in sorted(rules, key=str):
            rule_id = f"rule_{self._ports.ids.random(6)}"
            rule = Rule(id=rule_id, created_at=self._ports.clock.now().isoformat(timespec="seconds"), allows=allows)
            self._ports.rules.add(rule)

    async def _read(self, effect: CommandEffect) -> Touch:
        """A command, and what it would do."""
        touch = await asyncio.to_thread(self._touch, effect, effect.directory)
        assert touch.place is not None
        return replace(touch, found=await self._ports.commands.read(effect.command, touch.place))

    def _touches(
        self, effect: Effect, read: Mapping[CommandEffect, Touch], mode_of_role: ModeOfRole
    ) -> Sequence[Touch]:
        match effect:
            case PathEffect():
                return (self._touch(effect, effect.path),)
            case CommandEffect():
                touch = read[effect]
                reads = touch.found.reads if touch.found else ()
                inside = [path for path in reads if not PurePosixPath(path).is_absolute()]
                return (touch, *(self._touch(PathEffect("read", path), path) for path in inside))
            case SpawnEffect():
                return (Touch(effect, spawns=mode_of_role(effect.role)),)
            case _:
                return (Touch(effect),)

    def _touch(self, effect: Effect, path: str) -> Touch:
        place = self._ports.files.resolve(path)
        return Touch(effect, place, place.relative is not None and self._ports.files.is_hidden(place))

    def _fail(self, failed: Failed, call: ToolCall, turn: Turn) -> Failed:
        """It makes no sense or can't be done, so it was not begun."""
        self._record(turn, "tool_called", call.name, turn.standing().mode, outcome=failed.code)
        return failed

    def _refuse(self, refused: Refused, call: ToolCall, args: Args, turn: Turn) -> Refused:
        data = {"layer": refused.layer, "code": refused.code, "message": refused.message}
        entry = {"tool": refused.tool, "mode": refused.mode.value, **data, "call": call.model_dump()}
        self._ports.journal.append(turn.session_id, turn.execution_id, "call_refused", entry)
        self._record(turn, "tool_refused", refused.tool, refused.mode, **data)
        if refused.mode is Mode.PLAN and refused.layer != "user":
            self._record(turn, "disallowed_tool_attempt_in_planning", refused.tool, refused.mode, **data)
        notice = ToolNotice(turn.session_id, refused.tool, refused.message, refused.code, describe(args))
        self._ports.editor.tell(notice)
        return refused

    async def _run(self, call: ToolCall, tool: Tool[Any], args: Args, judged: Judged, turn: Turn) -> Outcome:
        def write_down(kind: str, data: dict[str, Any], *, is_synced: bool = True) -> None:
            entry = {"call_id": call.id, **data}
            self._ports.journal.append(turn.session_id, turn.execution_id, kind, entry, is_synced=is_synced)

        def on_output(text: str) -> None:
            self._ports.editor.tell(CommandOutput(turn.session_id, text))

        def on_edit(changes: Sequence[Change]) -> None:
            self._ports.editor.tell(FilesEdited(turn.session_id, tuple(line_counts(changes))))

        permit = Permit(
            self._ports,
            [(touch.effect, touch.place) for touch in judged.request.touches],
            judged.confinement,
            "; ".join(touch.found.reason for touch in judged.request.touches if touch.found),
            turn.conversation,
            turn.trace,
            turn.limits,
            partial(self._hold, judged, turn),
            write_down,
            on_output,
            on_edit,
            turn.variables,
            turn.background,
            judged.decision.rejected,
            only_reads=all(only_reads(touch.found) for touch in judged.request.touches if touch.found),
        )
        # What it does to files is written down by itself; of the rest nobody can tell later how far it came. What a
        # plan has as checks is there to be repeated.
        calls_mcp = any(isinstance(touch.effect, McpEffect) for touch in judged.request.touches)
        is_unsure = bool(turn.model) and (calls_mcp or (judged.runs and judged.confinement == "act"))
        started = {"tool": tool.name, "arguments": call.arguments, "shown": describe(args), "is_unsure": is_unsure}
        write_down("call_started", started)
        confinement = judged.confinement if judged.runs else None
        self._ports.editor.tell(ToolNotice(turn.session_id, tool.name, describe(args), confinement=confinement))
        commands = len(turn.trace.commands)
        outcome: Outcome | None = None
        try:
            outcome = await _run_tool(tool, args, permit, judged.mode)
        finally:
            # Also when cancelled: an entry that says "interrupted" is how a later run knows that this call may have
            # acted. One that a power cut takes says no less by its absence, so nothing waits for the disk here.
            end = "interrupted" if outcome is None else "done" if isinstance(outcome, Done) else outcome.code
            write_down("call_finished", {"tool": tool.name, "outcome": end}, is_synced=False)
            if not isinstance(outcome, Refused):
                self._record(turn, "tool_called", tool.name, judged.mode, outcome=end)
        if isinstance(outcome, Refused):
            return self._refuse(outcome, call, args, turn)
        if isinstance(outcome, Done):
            turn.trace.calls.append(_done(tool, args, judged, turn.trace.commands[commands:]))
            if judged.decision.rejected:
                outcome = self._made_in_part(outcome, call, args, judged, turn)
        elif isinstance(outcome, Failed):
            self._ports.editor.tell(ToolNotice(turn.session_id, tool.name, outcome.message, outcome.code))
        return outcome

    def _made_in_part(self, done: Done, call: ToolCall, args: Args, judged: Judged, turn: Turn) -> Done:
        """The user let only some of its changes be made: the others were refused."""
        names = ", ".join(sorted(judged.decision.rejected))
        message = _with_words(f"The user rejected the change of {names}, which was not made.", judged.decision)
        self._refuse(
            Refused("REFUSED_BY_USER", judged.request.tool, judged.mode, message, layer="user"), call, args, turn
        )
        return Done(f"{done.text}\n[planact] {message} Don't repeat it. Find another way, or ask what they want.")

    def _record(self, turn: Turn, kind: EventKind, tool: str, mode: Mode, **more: str) -> None:
        time = self._ports.clock.now().isoformat()
        data = {"tool": tool, "mode": mode.value, "model": turn.model, **more}
        self._ports.events.record(Event(kind=kind, session_id=turn.session_id, time=time, data=data))


def _done(tool: Tool[Any], args: Args, judged: Judged, ran: Sequence[CommandResult]) -> CallDone:
    """`ran` are the commands that the call ran to their end: one that goes on in the background has none."""
    made = [touch for touch in judged.request.touches if not _is_rejected(touch, judged.decision)]
    about = subject_of(replace(judged.request, touches=tuple(made)), args)
    paths = frozenset(touch.place.shown for touch in made if isinstance(touch.effect, PathEffect) and touch.place)
    is_more = not tool.read_only and any(not isinstance(t.effect, RunningEffect) for t in judged.request.touches)
    has_effect = judged.confinement == "act" if judged.runs else is_more
    if not judged.runs or not ran:
        return CallDone(tool.name, about, None, has_succeeded=True, has_effect=has_effect, paths=paths)
    went_well = ran[-1].ended == "exited" and ran[-1].exit_code == 0
    return CallDone(tool.name, about, ran[-1].exit_code, went_well, went_well and has_effect, paths)


def _refused_by_user(decision: Decision, changes: Sequence[Change], asked: Judged) -> Refused | None:
    """Whatever isn't a yes to some of it, of the kind that was offered, is a no."""
    answer = decision.value
    is_rejected = bool(decision.rejected) and not without(changes, decision.rejected)
    if not is_rejected and (answer == ALLOW or (answer == ALWAYS and asked.rules)):
        return None
    message = "The user stopped the work." if answer == STOP else "The user said no to this call."
    hint = "Don't repeat it. Find another way, or ask what they want."
    message = _with_words(message, decision)
    return Refused("REFUSED_BY_USER", asked.request.tool, asked.mode, message, hint, "user", stops=answer == STOP)


def _is_rejected(touch: Touch, decision: Decision) -> bool:
    return touch.place is not None and touch.place.shown in decision.rejected


def _with_words(message: str, decision: Decision) -> str:
    return f"{message} They say: {decision.comment}" if decision.comment else message


async def _run_tool(tool: Tool[Any], args: Args, permit: Permit, mode: Mode) -> Outcome:
    try:
        return Done(await tool.run(args, permit))
    except NoLongerAllowed as later:
        return later.refusal
    except RefusedByJail as refusal:
        code, message = ("TOOL_BLOCKED_BY_MODE", PLAN_MODE_MESSAGE) if mode is Mode.PLAN else _JAILED_IN_ACT
        return Refused(code, tool.name, mode, message, refusal.hint, "sandbox", output=refusal.output)
    except (StorageFailure, EndTurn, asyncio.CancelledError):
        raise
    except PlanactError as error:
        return Failed(error.code, error.message, error.hint)
    except Exception as error:
        log.exception("tool %s failed", tool.name)
        return Failed("INTERNAL_ERROR", f"{tool.name} failed: {type(error).__name__}: {error}", "Go another way.")
