"""A turn: ask the model, run its calls through the gate, add the results to the transcript, until it is done.

What surrounds a turn lives elsewhere: the session's lock in `workflows.workspace`, hooks in `workflows.hooks`, the
system prompt and the tools in `workflows.turns.turn_runner`, questions to the user in `workflows.turns.conversation`,
verdicts and the journal in `tools.gate`, retries and usage in `agent.ask_model`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Literal

from planact.agent.add_message import add_message
from planact.agent.answer_calls import calls_of, group_calls
from planact.agent.ask_model import Asker
from planact.agent.budget import TurnBudget, TurnSpent, reached_limit
from planact.agent.compact import SQUEEZES, Compactor
from planact.agent.context import RequestMessages, in_context
from planact.agent.earlier_answers import answers_text
from planact.agent.implied_call import unknown_version
from planact.agent.prompt import instructions_text
from planact.agent.repeats import Repeats
from planact.agent.written_calls import CallReader
from planact.base.errors import ModelFailure
from planact.model.chat.message import (
    REWINDS_TO,
    Message,
    MessageType,
    ModelRequest,
    Reply,
    Speaker,
    ToolCall,
    Usage,
    active_messages,
)
from planact.model.notice import ToolNotice
from planact.model.rights.permission import Mode
from planact.ports import Model, Ports
from planact.tools.gate import Gate
from planact.tools.tool_result import Done, Failed, Refused, ToolResult, with_note
from planact.tools.turn import EndTurn, Turn

CUT_SHORT = 3
"""Answers in a row that reach their length limit before the turn ends."""

_NOT_RUN = Failed(
    "ANSWER_CUT_OFF",
    "the answer reached its length limit in the middle, so none of its calls was run",
    "Make the call again with less in it: several small edits, or a file in parts.",
)
_GO_ON = "Your answer reached its length limit and was cut off. Go on where it stopped."

_SUBMIT = (
    "You have said something, and submitted no plan. Call `write_plan` now with the steps for what was asked, or "
    "`ask_user` where you can't without an answer. If nothing is to be changed, say so in one sentence."
)

_ENDS_PLANNING = ("write_plan", "ask_user", "exit_plan_mode")

EndKind = Literal[
    "finished",
    "refused",
    "waiting",
    "stopped",
    "cancelled",
    "replan",
    "accepted",
    "review",
    "limit",
    "nothing_done",
]


@dataclass(frozen=True, slots=True)
class TurnResult:
    """The end of a turn.

    Attributes:
        kind: `finished` by the model itself, ended by repeated `refused` calls, `waiting` for an answer that isn't
            there, `stopped` by the user, `cancelled` by them for good or to `replan`, `accepted` the plan or wanting to
            `review` it, or at a `limit`. One that the model finished counts as `nothing_done`, or `refused`, where a
            change was asked for and none was made.
        text: the model's last words.
        reason: for every kind but `finished`, one sentence for the user.
    """

    kind: EndKind
    text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a request says besides the transcript: the system prompt, schemas of the tools, and the approved plan that
    is carried out, empty = none.
    """

    system: str
    tools: Sequence[dict[str, Any]]
    plan: str


@dataclass(slots=True)
class TurnLoop:
    """One turn of one session, or of a delegate in it.

    Attributes:
        prepare: returns what the next request says besides the transcript, since the user may switch the mode.
        find_instructions: returns names and texts of instructions in folders whose files were touched since its last
            call.
        is_reading_role: returns whether a task of the role with a name would change nothing.
        subtask_id: marks the messages of a delegate, which sees no others; empty = the session's own conversation.
        window: tokens that the model takes; 0 = unknown.
    """

    ports: Ports
    gate: Gate
    model: Model
    turn: Turn
    prepare: Callable[[], Prompt]
    find_instructions: Callable[[], Awaitable[Sequence[tuple[str, str]]]]
    is_reading_role: Callable[[str], bool]
    budget: TurnBudget
    spent: TurnSpent
    subtask_id: str
    window: int
    _asker: Asker = field(init=False)
    _compactor: Compactor = field(init=False)
    _messages: RequestMessages = field(init=False)
    _repeats: Repeats = field(default_factory=Repeats)
    _read: Sequence[Message] = ()
    _own: Sequence[Message] = ()
    _cut_short: int = 0
    _is_warned: bool = False
    _is_planless: bool = False
    _is_reminded: bool = False

    def __post_init__(self) -> None:
        model = CallReader(self.model, self.gate.decode)
        self._asker = Asker(self.ports, model, self.turn, self.spent, self.subtask_id, self.window)
        self._compactor = Compactor(self._asker)
        self._messages = RequestMessages(self.turn.model, self.ports.journal.kept)

    async def run(self) -> TurnResult:
        """Work until the model is done or a call, a limit or the user ends the turn.

        Raises:
            ModelFailure: after the retries that may help.
            StorageFailure: planact's records can't be written.
        """
        text = ""
        while not (limit := reached_limit(self.budget, self.spent, self._session_usage(), self.ports.models)):
            self.spent.requests += 1
            self._report_answers()
            await self._add_instructions()
            transcript = await self._load_transcript()
            try:
                answer = await self._ask_model(transcript)
            except BaseException:  # also where the user stopped it
                self._asker.keep_overflowed()
                raise
            text = answer.content
            end = self._handle_cut_off(answer) or await self._run_calls(answer)
            if end is not None:
                return end
            if not answer.tool_calls and not self._cut_short and not self._has_new_words(transcript):
                if not self._only_talked() or self._is_reminded:
                    return TurnResult("finished", text)
                self._is_reminded = True
                self._add("system", _SUBMIT, "text", metadata={"for_model": True})
        return TurnResult("limit", text, limit)

    async def _load_transcript(self) -> Sequence[Message]:
        """Return the transcript, compacted where the next request would nearly fill the model's window."""
        transcript = self._transcript()
        if self._compactor.is_due(transcript) and await self._compactor.compact(transcript):
            return self._transcript()
        return transcript

    async def _ask_model(self, transcript: Sequence[Message]) -> Message:
        """Return the model's answer, added to the transcript; a request that is too long is compacted until it fits."""
        squeeze = 0
        while True:
            await self.turn.refresh(lambda: None)
            prompt = self.prepare()
            messages = self._messages.of(prompt.system, transcript, prompt.plan)
            request = ModelRequest(messages, prompt.tools, self.turn.session_id)
            try:
                message_id, reply = await self._asker.ask(request)
                return self._add_answer(message_id, reply, request)
            except ModelFailure as failure:
                if failure.code != "MODEL_CONTEXT_FULL" or squeeze == SQUEEZES:
                    raise
                self._compactor.learn(failure, request)
                if await self._compactor.compact(self._transcript(), squeeze) is None:
                    raise
                transcript = self._transcript()
                squeeze += 1

    def _add_answer(self, message_id: str, reply: Reply, request: ModelRequest) -> Message:
        self._cut_short = self._cut_short + 1 if reply.finish_reason == "length" else 0
        self._is_planless = not reply.tool_calls and self._lacks_plan(request)
        text, calls = calls_of(reply, message_id, lacks_plan=self._is_planless)
        answer = self._add(
            "assistant",
            text,
            "tool_call" if calls else "text",
            message_id=message_id,
            tool_calls=calls,
            reasoning=reply.reasoning,
            thinking_blocks=tuple(dict(block) for block in reply.thinking_blocks),
            model=self.turn.model,
            usage=reply.usage,
        )
        self._warn_of_cost(reply)
        for version in filter(None, map(unknown_version, calls)):
            told = f"the model's format_version {version!r} is not supported, so this is refused"
            self.ports.editor.notify(ToolNotice(self.turn.session_id, "model", told, "PLAN_INVALID"))
        return answer

    def _handle_cut_off(self, answer: Message) -> TurnResult | None:
        """Ask for the rest of an answer that reached its length limit; the third in a row ends the turn."""
        if not self._cut_short:
            return None
        if self._cut_short == CUT_SHORT:
            for call in answer.tool_calls:
                self._add_result(call, _NOT_RUN)
            reason = f"{CUT_SHORT} answers in a row reached the model's length limit (`max_tokens` in modelParameters)"
            hint = "Raise it, or ask for less at a time, and go on."
            return TurnResult("limit", answer.content, f"{reason}. {hint} [ANSWER_CUT_OFF]")
        text = "The answer reached its length limit; the model is asked to go on"
        self.ports.editor.notify(ToolNotice(self.turn.session_id, "model", text, "ANSWER_CUT_OFF"))
        if not answer.tool_calls:
            self._add("system", _GO_ON, "text", metadata={"for_model": True})
        return None

    async def _run_calls(self, answer: Message) -> TurnResult | None:
        """Run the calls of one answer and add their results; return the end of the turn, if one of them ends it."""
        for group in group_calls(answer.tool_calls, self.is_reading_role):
            results = await asyncio.gather(*(self._run_call(call) for call in group), return_exceptions=True)
            end: TurnResult | None = None
            for call, result in zip(group, results, strict=True):
                end = self._handle_result(call, result, answer) or end
            self._mark_answers_told()
            if end is not None:
                return end
        return None

    async def _run_call(self, call: ToolCall) -> ToolResult:
        if self._cut_short:
            return _NOT_RUN
        return self._repeats.again(call) or await self.gate.call(call, self.turn)

    def _handle_result(self, call: ToolCall, result: ToolResult | BaseException, answer: Message) -> TurnResult | None:
        if isinstance(result, EndTurn):
            waits = {"lacks_answer": True} if result.kind == "waiting" else {}
            outcome = "waiting" if waits else "done" if call.id in self.turn.trace.times else "not_run"
            metadata = {**waits, **self._ending(call, outcome)}
            self._add("tool", result.result, "tool_result", tool_call_id=call.id, metadata=metadata)
            return TurnResult(result.kind, answer.content, result.reason)
        if isinstance(result, BaseException):
            raise result
        circle = self._repeats.note(call, result)
        self._add_result(call, with_note(result, circle.reason) if circle and circle.kind == "told" else result)
        if isinstance(result, Refused) and result.stops:
            return TurnResult("stopped", answer.content, result.message)
        return TurnResult(circle.kind, answer.content, circle.reason) if circle and circle.kind != "told" else None

    def _add_result(self, call: ToolCall, result: ToolResult) -> None:
        is_done = isinstance(result, Done)
        outcome = "done" if is_done else "refused" if isinstance(result, Refused) else "failed"
        metadata: dict[str, Any] = {"done": is_done, **self._ending(call, "not_run" if result is _NOT_RUN else outcome)}
        if isinstance(result, Done) and result.outputs:
            metadata["outputs"] = [*result.outputs]
        pictures = result.pictures if isinstance(result, Done) else ()
        self._add("tool", result.for_model(), "tool_result", tool_call_id=call.id, metadata=metadata, pictures=pictures)

    def _ending(self, call: ToolCall, outcome: str) -> dict[str, Any]:
        """Return how a call ended, and when it ran if it did, for clients."""
        time = self.turn.trace.times.pop(call.id, None)
        return {"outcome": outcome} | ({"started_at": time.started_at, "seconds": time.seconds} if time else {})

    def _report_answers(self) -> None:
        """Tell the model of answers that no call of its brought, as those given after a pause or a kill."""
        if self.subtask_id:  # it was told with its task
            return
        untold = self.ports.questions.untold(self.turn.session_id)
        if text := answers_text(untold):
            self._add("system", text, "text", metadata={"for_model": True, "is_hidden": True})
        self.ports.questions.mark_told([asked.id for asked in untold])

    async def _add_instructions(self) -> None:
        """Tell the model the instructions of folders that it works in, once as long as it knows them."""
        if found := await self.find_instructions():
            told = {message.metadata.get("instructions_of") for message in in_context(self._transcript())}
            for name, text in found:
                if name not in told:
                    paragraph = instructions_text(name, text, f"{name.rpartition('/')[0]}/")
                    metadata = {"for_model": True, "is_hidden": True, "instructions_of": name}
                    self._add("system", paragraph, "text", metadata=metadata)

    def _mark_answers_told(self) -> None:
        answered = self.turn.trace.answered
        if self.subtask_id:  # its context ends with its report, and with a kill
            return
        self.ports.questions.mark_told(answered)
        answered.clear()

    def _transcript(self) -> Sequence[Message]:
        """Return the messages of this conversation; where it only grew, only what was added is looked at."""
        messages = self.ports.sessions.messages(self.turn.session_id)
        known = len(self._read)
        added = messages[known:]
        if messages[:known] != self._read or any(REWINDS_TO in message.metadata for message in added):
            self._own, added = (), active_messages(messages)
        self._own = (*self._own, *(message for message in added if message.subtask_id == self.subtask_id))
        self._read = messages
        return self._own

    def _lacks_plan(self, request: ModelRequest) -> bool:
        """Return whether the user asked for a change in Plan, and no plan was submitted and no question asked yet."""
        from planact.policy.intent.change_request import asks_for_change  # its rules are read where they are needed

        is_planning = self.ports.sessions.get(self.turn.session_id).mode is Mode.PLAN
        may_submit = any(tool["function"]["name"] == "write_plan" for tool in request.tools)
        if self.subtask_id or not (is_planning and may_submit):
            return False
        said = [message.typed for message in self._transcript() if message.is_said_by_user]
        is_over = any(call.tool in ("write_plan", "ask_user") for call in self.turn.trace.calls)
        return bool(said) and not is_over and asks_for_change(said[-1])

    def _only_talked(self) -> bool:
        """Return whether a plan is lacking, and the model never tried to submit one or to ask since the user spoke."""
        if not self._is_planless:
            return False
        since = list(takewhile(lambda message: not message.is_said_by_user, reversed(self._transcript())))
        return not any(call.name in _ENDS_PLANNING for message in since for call in message.tool_calls)

    def _has_new_words(self, transcript: Sequence[Message]) -> bool:
        """Return whether the user wrote after `transcript` was read."""
        return any(message.is_said_by_user for message in self._transcript()[len(transcript) :])

    def _session_usage(self) -> Usage:
        return self.ports.sessions.get(self.turn.session_id).usage

    def _warn_of_cost(self, reply: Reply) -> None:
        """Tell the user, once a turn, that the limit of cost holds by an assumed price for this model."""
        if self.budget.cost and not self._is_warned and reply.usage is not None and reply.usage.cost is None:
            self._is_warned = True
            dearest = self.ports.models.dearest(self.turn.model).name
            text = f"the price of {self.turn.model} isn't known, so that of {dearest} counts (setting limits.maxCost)"
            self.ports.editor.notify(ToolNotice(self.turn.session_id, "model", text, "COST_UNKNOWN"))

    def _add(self, role: Speaker, content: str, kind: MessageType, **more: Any) -> Message:
        return add_message(self.ports, self.turn.session_id, role, content, kind, subtask_id=self.subtask_id, **more)
