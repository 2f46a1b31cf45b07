"""What a request to a model cost, kept with the session that it was made for."""

from planact.model.event import Event
from planact.model.notice import UsageChanged
from planact.model.usage import Usage
from planact.ports import Ports


def account(
    ports: Ports,
    session_id: str,
    execution_id: str,
    model: str,
    usage: Usage,
    seconds: float,
    window: int | None = None,
) -> None:
    """Add `usage` to the session's, record the request to `model`, which took `seconds`, and tell the client.

    `execution_id` is empty for what belongs to no execution; `window` is None for what isn't the session's own talk.
    """
    session = ports.sessions.get(session_id)
    session = session.model_copy(update={"usage": session.usage.plus(usage.of(model))})
    ports.sessions.put(session)
    data = {
        "model": model,
        "execution_id": execution_id,
        **usage.model_dump(exclude={"by_model"}),
        "seconds": round(seconds, 3),
    }
    time = ports.clock.now().isoformat()
    ports.events.record(Event(kind="model_called", session_id=session.id, time=time, data=data))
    ports.editor.tell(UsageChanged(session, 0 if window is None else usage.tokens, window or 0))
