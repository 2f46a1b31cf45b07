"""One request to the model, retried after passing failures until it is answered.

Of an answer that breaks off the text is kept, its calls are not: they never leave the adapter, so no half of a call can
run.
"""

import random
from dataclasses import dataclass, replace
from typing import assert_never

from planact.agent.add_message import add_message
from planact.agent.budget import TurnSpent
from planact.agent.context import CUT_OFF
from planact.agent.implied_call import ShownText
from planact.agent.usage_meter import UsageMeter
from planact.base.errors import ModelFailure
from planact.base.text import shortened
from planact.model.chat.message import ModelRequest, Reply, TextDelta, Usage, UsagePurpose
from planact.model.notice import MessageDelta, ToolNotice
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

    async def ask(self, request: ModelRequest, *, is_shown: bool = True) -> tuple[str, Reply]:
        """Return the answer and the id of its message, which is older than every message sent while the model answers.

        Args:
            request: what is asked.
            is_shown: whether the answer is meant for people, who see it as it comes.

        Raises:
            ModelFailure: after the retries that may help.
        """
        message_ids = [self.ports.ids.uuid7() for _ in range(MAX_ATTEMPTS)]  # all as old as the request
        for attempt, message_id in enumerate(message_ids):
            try:
                return message_id, await self._stream(request, message_id, is_shown=is_shown)
            except ModelFailure as failure:
                wait = wait_before_retry(failure, attempt + 1)
                if wait is None:
                    raise
                text = f"{failure.message}; trying again in {wait:.0f} s"
                self.ports.editor.notify(ToolNotice(self.turn.session_id, "model", text, failure.code))
                await self.ports.clock.sleep(wait)
        raise AssertionError("the last attempt is not followed by another")

    async def _stream(self, request: ModelRequest, message_id: str, *, is_shown: bool) -> Reply:
        turn = self.turn
        meter = UsageMeter(self.ports, turn.session_id, turn.execution_id, turn.model, request)
        said: list[str] = []
        reply: Reply | None = None
        is_whole = False
        try:
            reply = await self._take(meter, message_id, said, is_shown=is_shown)
            if reply.finish_reason == "content_filter":
                raise _refused(turn.model)
            if not reply.text.strip() and not reply.tool_calls:
                raise _empty(turn.model)
            is_whole = True
        finally:  # also where the user stopped it
            broken = shortened("".join(said), _LONGEST_KEPT) if is_shown and not is_whole else ""
            usage = self._settle(meter, is_shown=is_shown, is_kept=is_whole or bool(broken.strip()))
            if broken.strip():
                self._keep_broken(message_id, broken, usage)
        return replace(reply, usage=usage)

    async def _take(self, meter: UsageMeter, message_id: str, said: list[str], *, is_shown: bool) -> Reply:
        """Return the whole answer; its text goes to `said` piece by piece."""
        reply: Reply | None = None
        shown = ShownText()

        def show(text: str, *, is_reasoning: bool) -> None:
            if is_shown and text:
                self.ports.editor.notify(
                    MessageDelta(
                        session_id=self.turn.session_id, message_id=message_id, text=text, is_reasoning=is_reasoning
                    )
                )

        async for piece in meter.stream(self.model):
            match piece:
                case TextDelta(text=text, is_reasoning=is_reasoning):
                    show(text if is_reasoning else shown.add(text), is_reasoning=is_reasoning)
                    if not is_reasoning:
                        said.append(text)
                case Reply():
                    reply = piece
                case _:
                    assert_never(piece)
        if reply is None:
            raise _empty(self.turn.model)
        show(shown.rest(reply.text), is_reasoning=False)
        return reply

    def _settle(self, meter: UsageMeter, *, is_shown: bool, is_kept: bool) -> Usage:
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


def _refused(model: str) -> ModelFailure:
    return ModelFailure(
        "MODEL_REFUSED",
        f"the answer of the model '{model}' was held back by its provider's filter",
        "Say it in another way, or choose another model, then go on",
    )


def _empty(model: str) -> ModelFailure:
    return ModelFailure(
        "MODEL_EMPTY_ANSWER",
        f"the model '{model}' answered nothing",
        "Try again, or choose another model",
        is_transient=True,
    )
