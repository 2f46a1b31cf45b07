"""Add a message to a session's transcript, and show it if it is for the user."""

from collections.abc import Mapping
from typing import Any

from planact.model.chat.message import Message, MessageType, Speaker
from planact.model.notice import MessageAdded
from planact.ports import Ports


def add_message(
    ports: Ports,
    session_id: str,
    role: Speaker,
    content: str,
    kind: MessageType = "text",
    *,
    message_id: str = "",
    subtask_id: str = "",
    metadata: Mapping[str, Any] | None = None,
    **more: Any,
) -> Message:
    """Return the message, added. `message_id` is the id under which its pieces were shown, empty = a new one;
    `subtask_id` is the delegate's task that it belongs to, empty = none; `more` are other fields of `Message`.
    """
    message = Message(
        id=message_id or ports.ids.uuid7(),
        session_id=session_id,
        role=role,
        content=content,
        message_type=kind,
        created_at=ports.clock.now().isoformat(),
        metadata={**(metadata or {}), **({"delegate": subtask_id} if subtask_id else {})},
        **more,
    )
    ports.sessions.add_message(message)
    if message.is_shown:
        ports.editor.notify(MessageAdded(message))
    return message
