"""The part of a model's window that a session's conversation takes."""

from collections.abc import Sequence

from planact.agent.context import in_context, request_messages, tokens_of
from planact.model.chat.message import Message, active_messages
from planact.workflows.sessions.choose_model import model_name
from planact.workflows.workspace import Workspace

_DEFAULT_WINDOW = 64_000


def own_transcript(ws: Workspace, session_id: str) -> Sequence[Message]:
    """Return the messages of the session itself, without those of delegates."""
    return [message for message in active_messages(ws.ports.sessions.messages(session_id)) if not message.subtask_id]


def context_tokens(transcript: Sequence[Message]) -> int:
    """Return an estimate of the tokens that a transcript takes in a request."""
    return tokens_of(*request_messages("", transcript)[1:])


def window_of(ws: Workspace, session_id: str) -> int:
    """Return the tokens that the session's model takes, or a guess. Reads the disk."""
    return ws.ports.models.about(model_name(ws, session_id)).context_tokens or _DEFAULT_WINDOW


def context_used(ws: Workspace, session_id: str) -> int:
    """Return the part of the model's window that the conversation fills, in percent from 1 to 99; 0 = there is none.
    Reads the disk.
    """
    tokens = context_tokens(own_transcript(ws, session_id))
    return max(1, min(tokens * 100 // window_of(ws, session_id), 99)) if tokens else 0


def begin_afresh(ws: Workspace, session_id: str, path: str) -> None:
    """Leave what was said so far out of the run of a plan that is about to begin."""
    ws.add_message(session_id, "system", "The run begins with a fresh context.", begins_context=True, fresh_for=path)


def begins_afresh(transcript: Sequence[Message], path: str) -> bool:
    """The user wanted a fresh context for the plan, and it hasn't begun anew since."""
    return any(message.metadata.get("fresh_for") == path for message in in_context(transcript))
