"""The loop: ask the model, run its calls through the gate, tell it what came of them, until it is done."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, assert_never

from planact.agent.account import account
from planact.agent.context import request_messages
from planact.agent.retry import wait_before_retry
from planact.agent.understand import implied_call
from planact.base.errors import ModelFailure
from planact.model.message import Message, MessageType
from planact.model.notice import MessageAdded, MessageDelta, ToolNotice
from planact.model.reply import ModelRequest, Reply, TextDelta
from planact.model.tool_call import ToolCall
from planact.model.usage import Usage
from planact.ports import Model, Ports
from planact.tools.gate import Gate, Turn
from planact.tools.outcome import Done, Outcome, Refused
from planact.tools.permit import EndTurn
from planact.tools.registry import BY_NAME

SAME_REFUSALS = 3
"""So many identical refusals in a row end the turn."""

EndKind = Literal["finished", "refused", "waiting", "stopped", "accepted", "review", "limit"]


@dataclass(frozen=True, slots=True)
class TurnResult:
    """How a turn ended.

    Attributes:
        kind: `finished` by the model itself, ended by repeated `refused` calls, `waiting` for an answer nobody can
        give now,
            `stopped` by the user, `accepted` the plan or wanting to `review` it, or at a `limit`.
        text: what the model said last.
        reason: for everything but `finished`, one sentence for the user.
    """

    kind: EndKind
    text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """Bounds of one turn; 0 = none. `tokens` and `cost` count the whole session."""

    turns: int
    tokens: int = 0
    cost: float = 0.0


@dataclass(slots=True)
class Spent:
    """What a turn has used so far, together with its delegates."""

    requests: int = 0
    usage: Usage = field(default_factory=Usage)


@dataclass(slots=True)
class Loop:
    """One turn of one session. `prompt` and `tools` are asked before each request, since the user may switch the
    mode. `errand` marks the messages of a delegate, which are the only ones that it knows; empty = the session's own.
    """

    ports: Ports
    gate: Gate
    model: Model
    turn: Turn
    prompt: Callable[[], str]
    tools: Callable[[], Sequence[dict[str, Any]]]
    budget: Budget
    spent: Spent = field(default_factory=Spent)
    errand: str = ""
    _refusals: list[str] = field(default_factory=list)

    async def run(self) -> TurnResult:
        """Work until the model is done or something ends the turn.

        Raises:
            ModelFailure: after the retries that may help.
            StorageFailure: planact's records can't be written.
        """
        text = ""
        while self.spent.requests < self.budget.turns:
            self.spent.requests += 1
            over = self._over_budget()
            if over:
                return TurnResult("limit", text, over)
            transcript = self._transcript()
            message = await self._ask_model(transcript)
            text = message.content
            if message.tool_calls:
                end = await self._run_calls(message)
                if end is not None:
                    return end
            elif not any(later.is_said_by_user for later in self._transcript()[len(transcript) :]):
                return TurnResult("finished", text)
        reason = f"the limit of {self.budget.turns} requests is reached (setting limits.maxTurns)"
        return TurnResult("limit", text, reason)

    def _transcript(self) -> Sequence[Message]:
        messages = self.ports.sessions.messages(self.turn.session_id)
        return [message for message in messages if message.errand == self.errand]

    async def _ask_model(self, transcript: Sequence[Message]) -> Message:
        message_id = self.ports.ids.uuid7()  # older than whatever is said while the model speaks
        request = ModelRequest(request_messages(self.prompt(), transcript), list(self.tools()))
        reply = await self._stream_with_retries(request, message_id)
        calls = _told_apart(reply.tool_calls)
        if not calls:
            implied = implied_call(reply.text, f"call_{message_id}")
            calls = (implied,) if implied else ()
        kind: MessageType = "tool_call" if calls else "text"
        return self._say("assistant", reply.text, kind, message_id, tool_calls=calls, reasoning=reply.reasoning)

    async def _stream_with_retries(self, request: ModelRequest, message_id: str) -> Reply:
        attempt = 1
        while True:
            try:
                return await self._stream(request, message_id)
            except ModelFailure as failure:
                wait = wait_before_retry(failure, attempt)
                if wait is None:
                    raise
                text = f"{failure.message}; trying again in {wait:.0f} s"
                self.ports.editor.tell(ToolNotice(self.turn.session_id, "model", text, failure.code))
                await self.ports.clock.sleep(wait)
                attempt += 1

    async def _stream(self, request: ModelRequest, message_id: str) -> Reply:
        reply: Reply | None = None
        started = self.ports.clock.seconds()
        async for piece in self.model.stream(request):  # to its very end, which closes the connection
            match piece:
                case TextDelta(text=text, is_reasoning=is_reasoning):
                    self.ports.editor.tell(MessageDelta(self.turn.session_id, message_id, text, is_reasoning))
                case Reply():
                    reply = piece
                case _:
                    assert_never(piece)
        if reply is not None:
            seconds = self.ports.clock.seconds() - started
            turn = self.turn
            account(self.ports, turn.session_id, turn.execution_id, turn.model, reply.usage, seconds)  # also if empty
            self.spent.usage = self.spent.usage.plus(reply.usage)
            if reply.text.strip() or reply.tool_calls:
                return reply
        raise ModelFailure(
            "MODEL_STREAM_BROKEN",
            "the model answered nothing",
            "Try again, or choose another model.",
            is_transient=True,
        )

    async def _run_calls(self, message: Message) -> TurnResult | None:
        """Run the calls of one reply: readers that stand side by side at once, everything else in order."""
        for group in _groups(message.tool_calls):
            results = await asyncio.gather(*(self.gate.call(call, self.turn) for call in group), return_exceptions=True)
            end: TurnResult | None = None
            for call, result in zip(group, results, strict=True):
                end = self._take_result(call, result, message) or end
            if end is not None:
                return end
        return None

    def _take_result(self, call: ToolCall, result: Outcome | BaseException, message: Message) -> TurnResult | None:
        if isinstance(result, EndTurn):
            waits = {"lacks_answer": True} if result.kind == "waiting" else {}
            self._say("tool", result.reason, "tool_result", tool_call_id=call.id, metadata=waits)
            return TurnResult(result.kind, message.content, result.reason)
        if isinstance(result, BaseException):
            raise result
        self._say(
            "tool", result.for_model(), "tool_result", tool_call_id=call.id, metadata={"done": isinstance(result, Done)}
        )
        if not isinstance(result, Refused):
            self._refusals.clear()
            return None
        if result.stops:
            return TurnResult("stopped", message.content, result.message)
        self._refusals.append(f"{call.name} {call.arguments} {result.code}")
        if self._refusals[-SAME_REFUSALS:] == [self._refusals[-1]] * SAME_REFUSALS:
            reason = f"{call.name} was refused {SAME_REFUSALS} times in a row ({result.code}): {result.message}"
            return TurnResult("refused", message.content, reason)
        return None

    def _over_budget(self) -> str:
        usage = self.ports.sessions.get(self.turn.session_id).usage
        if 0 < self.budget.tokens <= usage.input_tokens + usage.output_tokens:
            return f"the session has used its {self.budget.tokens} tokens (setting limits.maxTokens)"
        if 0 < self.budget.cost <= (usage.cost or 0.0):
            return f"the session has cost its {self.budget.cost:.2f} dollars (setting limits.maxCost)"
        return ""

    def _say(
        self, role: Literal["assistant", "tool"], content: str, kind: MessageType, message_id: str = "", **more: Any
    ) -> Message:
        metadata = {**more.pop("metadata", {}), **({"delegate": self.errand} if self.errand else {})}
        message = Message(
            id=message_id or self.ports.ids.uuid7(),
            session_id=self.turn.session_id,
            role=role,
            content=content,
            message_type=kind,
            created_at=self.ports.clock.now().isoformat(),
            metadata=metadata,
            **more,
        )
        self.ports.sessions.add_message(message)
        self.ports.editor.tell(MessageAdded(message))
        return message


def _told_apart(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """The calls of one reply under ids of their own, also where a provider gave two the same."""
    ids = [call.id for call in calls]
    return tuple(
        call if ids.index(call.id) == number else call.model_copy(update={"id": f"{call.id}_{number}"})
        for number, call in enumerate(calls)
    )


def _groups(calls: Sequence[ToolCall]) -> list[list[ToolCall]]:
    """Neighbouring calls that only read form a group; each other call stands alone."""
    groups: list[list[ToolCall]] = []
    for call in calls:
        if groups and _only_reads(call) and _only_reads(groups[-1][-1]):
            groups[-1].append(call)
        else:
            groups.append([call])
    return groups


def _only_reads(call: ToolCall) -> bool:
    return call.name in BY_NAME and BY_NAME[call.name].category in ("read", "search")
