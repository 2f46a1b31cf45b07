"""The loop: ask the model, run its calls through the gate, tell it what came of them, until it is done."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from planact.agent.ask_model import Asker, Spent
from planact.agent.compact import SQUEEZES, Compactor
from planact.agent.context import RequestMessages
from planact.agent.repeats import Repeats
from planact.agent.say import say
from planact.agent.understand import implied_call
from planact.base.errors import ModelFailure
from planact.base.text import counted
from planact.model.message import Message, MessageType, Speaker, standing
from planact.model.notice import ToolNotice
from planact.model.reply import ModelRequest
from planact.model.tool_call import ToolCall
from planact.ports import Model, Ports
from planact.tools.gate import Gate, Turn
from planact.tools.outcome import Done, Failed, Outcome, Refused
from planact.tools.permit import EndTurn
from planact.tools.registry import BY_NAME

CUT_SHORT = 3
"""So many answers in a row that reach their length limit end the turn."""

_NOT_RUN = Failed(
    "ANSWER_CUT_OFF",
    "the answer reached its length limit in the middle, so none of its calls was run",
    "Make the call again with less in it: several small edits, or a file in parts.",
)
_MORE = "Raise the limit and go on, or begin a new session."
_GO_ON = "Your answer reached its length limit and was cut off. Go on where it stopped."

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
class Loop:
    """One turn of one session. `offer` gives the system prompt and the tools of the next request, since the user may
    switch the mode. `errand` marks the messages of a delegate, which are the only ones that it knows; empty = the
    session's own. `window` is the number of tokens that the model takes, 0 = nobody knows.
    """

    ports: Ports
    gate: Gate
    model: Model
    turn: Turn
    offer: Callable[[], tuple[str, Sequence[dict[str, Any]]]]
    budget: Budget
    spent: Spent = field(default_factory=Spent)
    errand: str = ""
    window: int = 0
    _messages: RequestMessages = field(init=False)
    _repeats: Repeats = field(default_factory=Repeats)
    _cut_short: int = 0
    _is_warned: bool = False

    def __post_init__(self) -> None:
        self._messages = RequestMessages(self.turn.model)

    async def run(self) -> TurnResult:
        """Work until the model is done or something ends the turn.

        Raises:
            ModelFailure: after the retries that may help.
            StorageFailure: planact's records can't be written.
        """
        text = ""
        asker = Asker(self.ports, self.model, self.turn, self.spent, self.errand, self.window)
        compactor = Compactor(asker)
        while self.spent.requests < self.budget.turns:
            self.spent.requests += 1
            over = self._over_budget()
            if over:
                return TurnResult("limit", text, over)
            transcript = self._transcript()
            if compactor.is_due(transcript) and await compactor.compact(transcript):
                transcript = self._transcript()
            message = await self._ask_model(transcript, asker, compactor)
            text = message.content
            self._warn_of_cost(message)
            end = self._end_of_cut_off(message) or await self._run_calls(message)
            if end is not None:
                return end
            if (
                not message.tool_calls
                and not self._cut_short
                and not any(later.is_said_by_user for later in self._transcript()[len(transcript) :])
            ):
                return TurnResult("finished", text)
        requests = counted(self.budget.turns, "request")
        reached = f"the limit of {requests} is reached (setting limits.maxTurns)"
        return TurnResult("limit", text, f"{reached}. Go on for as many again, or raise it. [LIMIT_TURNS]")

    def _transcript(self) -> Sequence[Message]:
        messages = standing(self.ports.sessions.messages(self.turn.session_id))
        return [message for message in messages if message.errand == self.errand]

    async def _ask_model(self, transcript: Sequence[Message], asker: Asker, compactor: Compactor) -> Message:
        """The answer, written down. What is too long for the model is compacted, more each time, until it fits."""
        squeeze = 0
        while True:
            await self.turn.look(lambda: None)
            prompt, tools = self.offer()
            request = ModelRequest(self._messages.of(prompt, transcript), tools)
            try:
                message_id, reply = await asker.ask(request)
                break
            except ModelFailure as failure:
                if failure.code != "MODEL_CONTEXT_FULL" or squeeze == SQUEEZES:
                    raise
                compactor.learn(failure, request)
                if await compactor.compact(self._transcript(), squeeze) is None:
                    raise
                transcript = self._transcript()
                squeeze += 1
        is_cut_off = reply.finish_reason == "length"
        self._cut_short = self._cut_short + 1 if is_cut_off else 0
        calls = _told_apart(reply.tool_calls)
        if not calls and not is_cut_off:
            implied = implied_call(reply.text, f"call_{message_id}")
            calls = (implied,) if implied else ()
        return self._say(
            "assistant",
            reply.text,
            "tool_call" if calls else "text",
            message_id=message_id,
            tool_calls=calls,
            reasoning=reply.reasoning,
            thinking_blocks=tuple(dict(block) for block in reply.thinking_blocks),
            model=self.turn.model,
            usage=reply.usage,
        )

    def _end_of_cut_off(self, message: Message) -> TurnResult | None:
        """An answer that reached its length limit goes on with the next; it ends the turn when that is of no use."""
        if not self._cut_short:
            return None
        if self._cut_short == CUT_SHORT:
            for call in message.tool_calls:
                self._tell_result(call, _NOT_RUN)
            reason = f"{CUT_SHORT} answers in a row reached the model's length limit (`max_tokens` in modelParameters)"
            hint = "Raise it, or ask for less at a time, and go on."
            return TurnResult("limit", message.content, f"{reason}. {hint} [ANSWER_CUT_OFF]")
        text = "The answer reached its length limit; the model is asked to go on"
        self.ports.editor.tell(ToolNotice(self.turn.session_id, "model", text, "ANSWER_CUT_OFF"))
        if not message.tool_calls:
            self._say("system", _GO_ON, "text", metadata={"for_model": True})
        return None

    async def _run_calls(self, message: Message) -> TurnResult | None:
        """Run the calls of one reply: readers that stand side by side at once, everything else in order."""
        for group in _groups(message.tool_calls):
            results = await asyncio.gather(*(self._run_call(call) for call in group), return_exceptions=True)
            end: TurnResult | None = None
            for call, result in zip(group, results, strict=True):
                end = self._take_result(call, result, message) or end
            if end is not None:
                return end
        return None

    async def _run_call(self, call: ToolCall) -> Outcome:
        if self._cut_short:
            return _NOT_RUN
        return self._repeats.again(call) or await self.gate.call(call, self.turn)

    def _take_result(self, call: ToolCall, result: Outcome | BaseException, message: Message) -> TurnResult | None:
        if isinstance(result, EndTurn):
            waits = {"lacks_answer": True} if result.kind == "waiting" else {}
            self._say("tool", result.reason, "tool_result", tool_call_id=call.id, metadata=waits)
            return TurnResult(result.kind, message.content, result.reason)
        if isinstance(result, BaseException):
            raise result
        self._tell_result(call, result)
        if isinstance(result, Refused) and result.stops:
            return TurnResult("stopped", message.content, result.message)
        end = self._repeats.note(call, result)
        return TurnResult(end.kind, message.content, end.reason) if end else None

    def _tell_result(self, call: ToolCall, result: Outcome) -> None:
        metadata = {"done": isinstance(result, Done)}
        self._say("tool", result.for_model(), "tool_result", tool_call_id=call.id, metadata=metadata)

    def _over_budget(self) -> str:
        usage = self.ports.sessions.get(self.turn.session_id).usage
        if 0 < self.budget.tokens <= usage.tokens:
            used = f"the session has used its {self.budget.tokens} tokens (setting limits.maxTokens)"
            return f"{used}. {_MORE} [LIMIT_TOKENS]"
        if 0 < self.budget.cost <= (usage.cost or 0.0):
            cost = f"the session has cost its {self.budget.cost:.2f} dollars (setting limits.maxCost)"
            return f"{cost}. {_MORE} [LIMIT_COST]"
        return ""

    def _warn_of_cost(self, message: Message) -> None:
        """Say, once a turn, that a limit can't hold."""
        if self.budget.cost and not self._is_warned and message.usage is not None and message.usage.cost is None:
            self._is_warned = True
            text = f"the price of {self.turn.model} isn't known, so its cost counts as nothing (setting limits.maxCost)"
            self.ports.editor.tell(ToolNotice(self.turn.session_id, "model", text, "COST_UNKNOWN"))

    def _say(self, role: Speaker, content: str, kind: MessageType, **more: Any) -> Message:
        return say(self.ports, self.turn.session_id, role, content, kind, errand=self.errand, **more)


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
