"""The error with which a session's work ended last."""

from planact.model.chat.message import FAILURE, Message
from planact.workflows.workspace import Workspace


def failure_of(ws: Workspace, session_id: str) -> Message | None:
    """Return the message that tells of the error with which the session's work ended; None where it went on since."""
    for message in reversed(ws.ports.sessions.messages(session_id)):
        if FAILURE in message.metadata:
            return message
        if message.role != "system" or "begins_context" in message.metadata:
            return None
    return None
