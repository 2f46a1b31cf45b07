"""What was said in a session."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from planact.model.image import Image
from planact.model.tool_call import ToolCall
from planact.model.usage import Usage

REDACTED = "[redacted]"
"""What is kept in place of a secret; a session that is taken up again reads it so."""

REWINDS_TO = "rewinds_to"
"""In the metadata of a message: id of the one from which on the agent knows nothing any more."""

MessageType = Literal["text", "plan", "question", "tool_call", "tool_result"]
Speaker = Literal["user", "assistant", "tool", "system"]


class Message(BaseModel):
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

    model_config = ConfigDict(frozen=True, defer_build=True)

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
    def errand(self) -> str:
        """Id of the task that it belongs to, where a delegate worked on one; empty = the session's own talk."""
        return str(self.metadata.get("delegate", ""))

    @property
    def typed(self) -> str:
        """What the user wrote, without what it mentions."""
        return str(self.metadata.get("typed") or self.content)

    @property
    def is_said_by_user(self) -> bool:
        """Whether the user wrote it as a message, and not as the answer to a question."""
        return self.role == "user" and "question_answer" not in self.metadata


def standing(transcript: Sequence[Message]) -> Sequence[Message]:
    """What the user has not gone back to before."""
    kept: list[Message] = []
    for message in transcript:
        target = message.metadata.get(REWINDS_TO)
        at = next((at for at, each in enumerate(kept) if each.id == target), len(kept)) if target else len(kept)
        del kept[at:]
        kept.append(message)
    return kept
