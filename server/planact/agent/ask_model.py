"""One request to the model, until it is answered: what passes is waited out, and nothing that was said is lost.

Of an answer that breaks off only the words are kept. Its calls never leave the adapter, so no half of one can run.
"""

from dataclasses import dataclass, field, replace
from typing import assert_never

from planact.agent.account import Meter
from planact.agent.context import CUT_OFF
from planact.agent.retry import MAX_ATTEMPTS, wait_before_retry
from planact.agent.say import say
from planact.agent.shorten import shortened
from planact.base.errors import ModelFailure
from planact.model.notice import MessageDelta, ToolNotice
from planact.model.reply import ModelRequest, Reply, TextDelta
from planact.model.usage import Purpose, Usage
from planact.ports import Model, Ports
from planact.tools.gate import Turn

_LONGEST_KEPT = 20_000
"""Characters of an answer that broke off."""


@dataclass(slots=True)
class Spent:
    """What a turn has used so far, together with its delegates."""

    requests: int = 0
    usage: Usage = field(default_factory=Usage)


@dataclass(slots=True)
class Asker:
    """Asks one model for one turn. `errand` marks what a delegate's model said; empty = the session's own. `window` is
    the number of tokens that the model takes, 0 = nobody knows.
    """

    ports: Ports
    model: Model
    turn: Turn
    spent: Spent
    errand: str = ""
    window: int = 0

    async def ask(self, request: ModelRequest, *, is_shown: bool = True) -> tuple[str, Reply]:
        """The answer with the id of the message to come, which is older than whatever is said while the model speaks.

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
                self.ports.editor.tell(ToolNotice(self.turn.session_id, "model", text, failure.code))
                await self.ports.clock.sleep(wait)
        raise AssertionError("the last attempt is not followed by another")

    async def _stream(self, request: ModelRequest, message_id: str, *, is_shown: bool) -> Reply:
        turn = self.turn
        meter = Meter(self.ports, turn.session_id, turn.execution_id, turn.model, request)
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

    async def _take(self, meter: Meter, message_id: str, said: list[str], *, is_shown: bool) -> Reply:
        """The answer as the adapter gives it; what it says goes to `said` meanwhile."""
        reply: Reply | None = None
        async for piece in meter.stream(self.model):
            match piece:
                case TextDelta(text=text, is_reasoning=is_reasoning):
                    if is_shown and text:
                        self.ports.editor.tell(MessageDelta(self.turn.session_id, message_id, text, is_reasoning))
                    if not is_reasoning:
                        said.append(text)
                case Reply():
                    reply = piece
                case _:
                    assert_never(piece)
        if reply is None:
            raise _empty(self.turn.model)
        return reply

    def _settle(self, meter: Meter, *, is_shown: bool, is_kept: bool) -> Usage:
        """What the answer cost, counted; `is_kept` = there will be a message of it."""
        purpose: Purpose = "lost"
        if is_kept:
            purpose = "summary" if not is_shown else "delegate" if self.errand else "answer"
        usage = meter.settle(purpose, self.window if is_shown and not self.errand else None)
        if usage is None:
            return Usage()
        self.spent.usage = self.spent.usage.plus(usage.of(self.turn.model, purpose))
        return usage

    def _keep_broken(self, message_id: str, text: str, usage: Usage) -> None:
        say(
            self.ports,
            self.turn.session_id,
            "assistant",
            text,
            message_id=message_id,
            errand=self.errand,
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
