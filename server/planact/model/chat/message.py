"""Messages of a session, their tool calls, and the intent of a message."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from planact.base.frozen_model import FrozenModel
from planact.base.span import Span
from planact.model.chat.image import Image
from planact.model.chat.usage import Usage


class ToolCall(FrozenModel):
    """`id` is the provider's; `arguments` the raw JSON text."""

    id: str
    name: str
    arguments: str


REDACTED = "[redacted]"
"""Replacement for a secret in a stored message; a resumed session reads it like this."""

REWINDS_TO = "rewinds_to"
"""Metadata key of a message: id of the first message that the user rewound, which the agent no longer sees."""

MessageType = Literal["text", "plan", "question", "tool_call", "tool_result"]
Speaker = Literal["user", "assistant", "tool", "system"]


class Message(FrozenModel):
    """One message, appended and never changed.

    Attributes:
        role: who speaks; `system` marks what planact itself tells the model between two turns.
        message_type: how to show it; missing in old data, which means `text`.
        tool_calls: with an assistant's message of type `tool_call`.
        tool_call_id: with a tool's result: which call it answers.
        reasoning: what the model thought aloud, where the provider shows it.
        thinking_blocks: the same as the provider wants it back.
        model: the name of the model that said it.
        images: what the user pasted.
        metadata: `question_answer`, `plan_id`, `delegate`, `queued` and the like. `typed` is
            what the user wrote, where `content` has what it mentions, too.
    """

    id: str
    session_id: str
    role: Speaker
    content: str = ""
    message_type: MessageType = "text"
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    reasoning: str = ""
    thinking_blocks: tuple[dict[str, Any], ...] = ()
    model: str = ""
    images: tuple[Image, ...] = ()
    usage: Usage | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    created_at: str = ""

    @property
    def subtask_id(self) -> str:
        """Id of the delegate's task that the message belongs to; empty = the session's own conversation."""
        return str(self.metadata.get("delegate", ""))

    @property
    def typed(self) -> str:
        """The text that the user wrote, without the mentioned content."""
        return str(self.metadata.get("typed") or self.content)

    @property
    def is_said_by_user(self) -> bool:
        """The user wrote it as a message, and not as the answer to a question."""
        return self.role == "user" and "question_answer" not in self.metadata


def active_messages(transcript: Sequence[Message]) -> Sequence[Message]:
    """Return the messages that the user hasn't rewound."""
    kept: list[Message] = []
    for message in transcript:
        target = message.metadata.get(REWINDS_TO)
        at = next((at for at, each in enumerate(kept) if each.id == target), len(kept)) if target else len(kept)
        del kept[at:]
        kept.append(message)
    return kept


IntentKind = Literal["EXECUTE_NOW", "PLAN_ONLY", "UNCLEAR"]


@dataclass(frozen=True, slots=True)
class Intent:
    """The intent of one message.

    Attributes:
        intent: the intent; UNCLEAR in doubt.
        rule: the phrase that approves or refuses, or why the message does neither.
        span: the part of the message that decided, in code points.
    """

    intent: IntentKind
    rule: str
    span: Span
