"""Usage and cost of one request, added to the session's, however the answer ended.

A provider is paid for the request once its answer has begun, also where the answer breaks off without its usage; that
usage is estimated from lengths.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from planact.agent.context import tokens_of
from planact.model.chat.message import ModelRequest, Reply, TextDelta, Usage, UsagePurpose
from planact.model.notice import UsageNotice
from planact.model.runs.journal import Event
from planact.ports import Model, Ports


@dataclass(slots=True)
class UsageMeter:
    """One `request` to the model called `model`. `execution_id` is empty for what belongs to no execution."""

    ports: Ports
    session_id: str
    execution_id: str
    model: str
    request: ModelRequest
    _started: float = 0.0
    _has_begun: bool = False
    _written: list[str] = field(default_factory=list)
    _reported: Usage | None = None

    async def stream(self, model: Model) -> AsyncIterator[TextDelta | Reply]:
        """Yield the answer's pieces to the end, which closes the connection.

        Raises:
            ModelFailure: as the adapter does.
        """
        self._started = self.ports.clock.seconds()
        async for piece in model.stream(self.request):
            self._has_begun = True
            if isinstance(piece, Reply):
                self._reported = piece.usage
                self._written = [piece.text, piece.reasoning, *(call.arguments for call in piece.tool_calls)]
            else:
                self._written.append(piece.text)
            yield piece

    def record(self, purpose: UsagePurpose, window: int | None = None) -> Usage | None:
        """Add the usage to the session's sum, record the request, and tell the client; None for a request that was
        never answered.

        Args:
            purpose: what the answer is for; `lost` = no message has it.
            window: how many tokens the model takes; None for what isn't the session's own talk.
        """
        if not self._has_begun:
            return None
        ports, usage = self.ports, self._usage()
        session = ports.sessions.get(self.session_id)
        session = session.model_copy(update={"usage": session.usage.plus(usage.of(self.model, purpose))})
        ports.sessions.put(
            session, is_synced=False
        )  # the next call that does more than read files waits for the disk, and takes this along
        data = {
            "model": self.model,
            "execution_id": self.execution_id,
            "purpose": purpose,
            **usage.model_dump(exclude={"by_model", "by_purpose"}),
            "seconds": round(ports.clock.seconds() - self._started, 3),
        }
        time = ports.clock.now().isoformat()
        ports.events.record(Event(kind="model_called", session_id=session.id, time=time, data=data))
        ports.editor.notify(UsageNotice(session, 0 if window is None else usage.tokens, window or 0))
        return usage

    def _usage(self) -> Usage:
        """Return the provider's usage, else an estimate, since limits of tokens would never hold without one."""
        if self._reported is not None and (self._reported.tokens or not self._reported.requests):
            return self._reported
        read = tokens_of(*self.request.messages, *self.request.tools)
        written = tokens_of({"content": "".join(self._written)})
        cost = self.ports.models.about(self.model).cost_of(read, written)
        return Usage(input_tokens=read, output_tokens=written, cost=cost, requests=1, is_estimated=True)
