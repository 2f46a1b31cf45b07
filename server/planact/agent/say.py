"""Adds a message to a session's transcript, and shows it."""

from collections.abc import Mapping
from typing import Any

from planact.model.message import Message, MessageType, Speaker
from planact.model.notice import MessageAdded
from planact.ports import Ports


def say(
    ports: Ports,
    session_id: str,
    role: Speaker,
    content: str,
    kind: MessageType = "text",
    *,
    message_id: str = "",
    errand: str = "",
    metadata: Mapping[str, Any] | None = None,
    **more: Any,
) -> Message:
    """`message_id` is what its pieces were shown under, else it gets one; `errand` names the task of the delegate that
    says it; `more` are other fields of a `Message`.
    """
    message = Message(
        id=message_id or ports.ids.uuid7(),
        session_id=session_id,
        role=role,
        content=content,
        message_type=kind,
        created_at=ports.clock.now().isoformat(),
        metadata={**(metadata or {}), **({"delegate": errand} if errand else {})},
        **more,
    )
    ports.sessions.add_message(message)
    ports.editor.tell(MessageAdded(message))
    return message
