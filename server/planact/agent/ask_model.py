"""One request to the model, retried after passing failures until it is answered.

Each wait is told second by second. The text of an answer that breaks off stays until another attempt replaces it, and
is kept where none does; its calls are not: they never leave the adapter, so no half of a call can run.
"""

import asyncio
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import assert_never

from planact.agent.add_message import add_message
from planact.agent.budget import TurnSpent
from planact.agent.context import CUT_OFF
from planact.agent.implied_call import ShownText
from planact.agent.usage_meter import UsageMeter
from planact.base.errors import ModelFailure
from planact.base.text import shortened
from planact.model.chat.message import ModelRequest, Reply, TextDelta, Usage, UsagePurpose
from planact.model.notice import MessageDelta, ModelRetry
from planact.model.runs.journal import Event
from planact.ports import Model, Ports
from planact.tools.turn import Turn

MAX_ATTEMPTS = 5
LONGEST_WAIT = 60.0
"""Most seconds to wait; a request whose provider asks for more fails."""


def wait_before_retry(failure: ModelFailure, attempt: int) -> float | None:
    """Seconds to wait after the failed `attempt` (the first is 1), or None when it is of no use.

    Doubles from one second, with jitter so that several sessions don't come back at once; the provider's own word
    counts more.
    """
    if not failure.is_transient or attempt >= MAX_ATTEMPTS:
        return None
    if failure.retry_after is not None:
        return failure.retry_after if failure.retry_after <= LONGEST_WAIT else None
    return min(2.0 ** (attempt - 1), LONGEST_WAIT) * random.uniform(0.75, 1.25)  # noqa: S311 (jitter, not a secret)


_LONGEST_KEPT = 20_000
"""Characters kept of an answer that broke off."""


@dataclass(frozen=True, slots=True)
class _Retry:
    """Another attempt, `seconds` after a failure.

    Attributes:
        broken: text of the answer that broke off, for people.
        is_seen: a piece of that answer was shown.
    """

    failure: ModelFailure
    seconds: float
    broken: str
    is_seen: bool


@dataclass(slots=True)
class Asker:
    """Sends the requests of one turn to its model.

    Attributes:
        spent: requests and usage of the turn so far, counted here.
        subtask_id: marks the answers of a delegate; empty = the session's own conversation.
        window: tokens that the model takes; 0 = unknown.
    """

    ports: Ports
    model: Model
    turn: Turn
    spent: TurnSpent
    subtask_id: str = ""
    window: int = 0
    _overflowed: tuple[str, str] = ("", "")
    """Id and text of the last answer, where it broke off because the context was full, and is asked for again."""

    async def ask(self, request: ModelRequest, *, is_shown: bool = True) -> tuple[str, Reply]:
        """Return the answer and the id of its message, which is older than every message sent while the model answers.

        Args:
            request: what is asked.
            is_shown: whether the answer is meant for people, who see it as it comes.

        Raises:
            ModelFailure: after the retries that may help.
        """
        message_id = self.ports.ids.uuid7()
        if is_shown and self._overflowed[0]:
            message_id, self._overflowed = self._overflowed[0], ("", "")
            self._notify_restart(message_id)
        begun = self.ports.clock.now()
        for attempt in range(1, MAX_ATTEMPTS + 1):
            outcome = await self._try(request, message_id, attempt, begun, is_shown=is_shown)
            if isinstance(outcome, Reply):
                return message_id, outcome
            try:
                await self._wait(outcome, attempt + 1)
            except BaseException:  # the user stopped it
                self._keep_broken(message_id, outcome.broken, Usage())
                raise
            if outcome.is_seen:
                self._notify_restart(message_id)
        raise AssertionError("the last attempt is not followed by another")

    def keep_overflowed(self) -> None:
        """Keep the text of the last answer, if the context was full in its middle and it isn't asked for again."""
        self._keep_broken(*self._overflowed, Usage())
        self._overflowed = ("", "")

    def _notify_restart(self, message_id: str) -> None:
        """Tell clients that the text of a message so far is replaced by another attempt."""
        self.ports.editor.notify(
            MessageDelta(session_id=self.turn.session_id, message_id=message_id, text="", begins_anew=True)
        )

    async def _wait(self, retry: _Retry, attempt: int) -> None:
        """Wait before the next `attempt`, and tell how long."""
        failure, left = retry.failure, retry.seconds
        self.turn.hurry.clear()
        now = self.ports.clock.now()
        notice = ModelRetry(
            session_id=self.turn.session_id,
            code=failure.code,
            reason=failure.reason,
            detail=failure.message,
            attempt=attempt,
            of=MAX_ATTEMPTS,
            wait_seconds=math.ceil(left),
            seconds_left=0,
            text="",
            title=failure.title,
            status=failure.status,
            ends_at=(now + timedelta(seconds=left)).isoformat(),
        )
        data = {"model": self.turn.model, "execution_id": self.turn.execution_id}
        data |= notice.model_dump(include={"code", "reason", "attempt", "of", "wait_seconds"})
        event = Event(kind="model_retried", session_id=notice.session_id, time=now.isoformat(), data=data)
        self.ports.events.record(event)
        title = f"{failure.title} ({failure.status})" if failure.status else failure.title
        try:
            while left > 0:
                whole = math.ceil(left)
                text = f"{failure.reason}. Trying again in {whole} s, attempt {attempt} of {MAX_ATTEMPTS}"
                short_text = f"{title} · try {attempt} of {MAX_ATTEMPTS} in {whole} s"
                told = {"seconds_left": whole, "text": text, "short_text": short_text}
                self.ports.editor.notify(notice.model_copy(update=told))
                left = 0 if await self._sleep(left - (whole - 1)) else whole - 1
        finally:
            self.ports.editor.notify(notice)

    async def _sleep(self, seconds: float) -> bool:
        """Sleep; return whether the user ended that, since they want the request to be sent now."""
        sleeping = asyncio.ensure_future(self.ports.clock.sleep(seconds))
        hurried = asyncio.ensure_future(self.turn.hurry.wait())
        try:
            await asyncio.wait({sleeping, hurried}, return_when=asyncio.FIRST_COMPLETED)
            return hurried.done()
        finally:
            sleeping.cancel()
            hurried.cancel()

    async def _try(
        self, request: ModelRequest, message_id: str, attempt: int, begun: datetime, *, is_shown: bool
    ) -> Reply | _Retry:
        turn = self.turn
        meter = UsageMeter(self.ports, turn.session_id, turn.execution_id, turn.model, request)
        pieces: list[TextDelta] = []
        outcome: Reply | _Retry | None = None
        try:
            outcome = await self._take(meter, message_id, pieces, is_shown=is_shown)
        except ModelFailure as failure:
            if is_shown and failure.code == "MODEL_CONTEXT_FULL" and (text := _text_of(pieces)):
                self._overflowed = (message_id, text)
            seconds = wait_before_retry(failure, attempt)
            if seconds is None:
                raise _given_up(failure, attempt, (self.ports.clock.now() - begun).total_seconds()) from None
            is_seen = is_shown and not self.subtask_id and any(piece.text for piece in pieces)
            outcome = _Retry(failure, seconds, _text_of(pieces) if is_shown else "", is_seen)
        finally:  # also where the user stopped it
            is_told = is_shown and outcome is None and not self._overflowed[0]
            broken = _text_of(pieces) if is_told else ""
            usage = self._record_usage(meter, is_shown=is_shown, is_kept=isinstance(outcome, Reply) or bool(broken))
            self._keep_broken(message_id, broken, usage)
        return outcome if isinstance(outcome, _Retry) else replace(outcome, usage=usage)

    async def _take(self, meter: UsageMeter, message_id: str, pieces: list[TextDelta], *, is_shown: bool) -> Reply:
        """Return the whole answer; `pieces` gets its text as it comes."""
        reply: Reply | None = None
        shown = ShownText()

        def show(text: str, *, is_reasoning: bool) -> None:
            if is_shown and text and not self.subtask_id:  # several delegates may speak at once
                self.ports.editor.notify(
                    MessageDelta(
                        session_id=self.turn.session_id, message_id=message_id, text=text, is_reasoning=is_reasoning
                    )
                )

        async for piece in meter.stream(self.model):
            match piece:
                case TextDelta(text=text, is_reasoning=is_reasoning):
                    pieces.append(piece)
                    show(text if is_reasoning else shown.add(text), is_reasoning=is_reasoning)
                case Reply():
                    reply = piece
                case _:
                    assert_never(piece)
        if reply is not None and reply.finish_reason == "content_filter":
            raise _refused(self.turn.model)
        if reply is None or not (reply.text.strip() or reply.tool_calls):
            is_cut = reply is not None and reply.finish_reason == "length"
            raise _cut_before_its_text(self.turn.model) if is_cut else _empty(self.turn.model)
        show(shown.rest(reply.text), is_reasoning=False)
        return reply

    def _record_usage(self, meter: UsageMeter, *, is_shown: bool, is_kept: bool) -> Usage:
        """Count the answer's usage and return it; `is_kept` = the answer becomes a message."""
        purpose: UsagePurpose = "lost"
        if is_kept:
            purpose = "summary" if not is_shown else "delegate" if self.subtask_id else "answer"
        usage = meter.record(purpose, self.window if is_shown and not self.subtask_id else None)
        if usage is None:
            return Usage()
        self.spent.usage = self.spent.usage.plus(usage.of(self.turn.model, purpose))
        return usage

    def _keep_broken(self, message_id: str, text: str, usage: Usage) -> None:
        """Keep what an answer said until it broke off, if it said anything."""
        if not text:
            return
        add_message(
            self.ports,
            self.turn.session_id,
            "assistant",
            text,
            message_id=message_id,
            subtask_id=self.subtask_id,
            metadata={CUT_OFF: True},
            model=self.turn.model,
            usage=usage if usage.requests else None,
        )


def _text_of(pieces: Sequence[TextDelta]) -> str:
    text = "".join(piece.text for piece in pieces if not piece.is_reasoning)
    return shortened(text, _LONGEST_KEPT) if text.strip() else ""


def _given_up(failure: ModelFailure, attempts: int, seconds: float) -> ModelFailure:
    """Return the failure with the reason why it isn't retried, where another attempt might have helped."""
    if not failure.is_transient:
        return failure
    why = f"tried {attempts} times" if attempts == MAX_ATTEMPTS else f"it asks for a wait of over {LONGEST_WAIT:.0f} s"
    return ModelFailure(
        *(failure.code, f"{failure.message}; {why}", failure.hint),
        reason=failure.reason,
        title=failure.title,
        status=failure.status,
        attempts=attempts,
        seconds=seconds,
    )


def _refused(model: str) -> ModelFailure:
    return ModelFailure(
        "MODEL_REFUSED",
        f"the answer of the model '{model}' was held back by its provider's filter",
        "Say it in another way, or choose another model, then go on",
    )


def _cut_before_its_text(model: str) -> ModelFailure:
    """Return the failure of an answer that was used up by thinking. Another attempt would cost as much."""
    return ModelFailure(
        "MODEL_EMPTY_ANSWER",
        f"the model '{model}' reached its length limit (`max_tokens` in modelParameters) before it said anything, as by"
        " thinking",
        "Raise the limit, or lower `reasoningEffort`, then go on",
        reason="The model reached its length limit before it said anything",
        title="Empty answer",
    )


def _empty(model: str) -> ModelFailure:
    return ModelFailure(
        "MODEL_EMPTY_ANSWER",
        f"the model '{model}' answered nothing",
        "Try again, or choose another model",
        reason="The model answered nothing",
        title="Empty answer",
        is_transient=True,
    )
