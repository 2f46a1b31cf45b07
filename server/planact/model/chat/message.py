"""Sessions and their messages with tool calls, requests to a model, its replies, and what they used and cost."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeVar

from pydantic import Field

from planact.base.frozen_model import FrozenModel
from planact.base.span import Span
from planact.base.text import counted
from planact.model.chat.image import Image, KeptImage
from planact.model.rights.permission import Mode

UsagePurpose = Literal["answer", "delegate", "summary", "intent", "lost"]
"""Purpose of a request: the session's own conversation, a delegate's, a compaction, the intent of a message; or "lost",
when no reply arrived. Messages carry the cost of the first three; the others count in sums alone.
"""

_PURPOSES: dict[UsagePurpose, str] = {
    "answer": "answers",
    "delegate": "delegates",
    "summary": "summaries of what was said",
    "intent": "judging what messages ask for",
    "lost": "answers that were lost",
}

_Name = TypeVar("_Name", bound=str)


class Usage(FrozenModel):
    """Tokens as the provider reports them; `cost` in US dollars, None when the price isn't known.

    Of `input_tokens`, the provider had kept the `cached_tokens` from before, and keeps the `cache_written_tokens` for
    later; of `output_tokens`, the model thought with the `reasoning_tokens`. `is_estimated` = some of it was not
    reported, and is reckoned from lengths. Sums have their parts `by_model` and `by_purpose`, but for what older
    versions summed up.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cache_written_tokens: int = 0
    reasoning_tokens: int = 0
    cost: float | None = None
    requests: int = 0
    is_estimated: bool = False
    by_model: dict[str, "Usage"] = Field(default_factory=dict)
    by_purpose: dict[UsagePurpose, "Usage"] = Field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """All that was read and written."""
        return self.input_tokens + self.output_tokens

    def alone(self) -> "Usage":
        """Return the totals without the parts."""
        return self.model_copy(update={"by_model": {}, "by_purpose": {}})

    def of(self, model: str, purpose: UsagePurpose | None) -> "Usage":
        """Return the usage as a part of a sum, used by `model` for `purpose`; None = purpose unknown."""
        alone = self.alone()
        by_purpose = {purpose: alone} if purpose else {}
        return alone.model_copy(update={"by_model": {model: alone}, "by_purpose": by_purpose})

    def less(self, other: "Usage") -> "Usage":
        """Subtract a part from a sum and return the rest as totals."""
        return Usage(
            input_tokens=self.input_tokens - other.input_tokens,
            output_tokens=self.output_tokens - other.output_tokens,
            cached_tokens=self.cached_tokens - other.cached_tokens,
            cache_written_tokens=self.cache_written_tokens - other.cache_written_tokens,
            reasoning_tokens=self.reasoning_tokens - other.reasoning_tokens,
            cost=None if self.cost is None else self.cost - (other.cost or 0.0),
            requests=self.requests - other.requests,
            is_estimated=self.is_estimated,
        )

    def plus(self, other: Self) -> "Usage":
        """The sum; the cost is unknown only when neither is known."""
        known = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cache_written_tokens=self.cache_written_tokens + other.cache_written_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            cost=sum(known) if known else None,
            requests=self.requests + other.requests,
            is_estimated=self.is_estimated or other.is_estimated,
            by_model=_merged(self.by_model, other.by_model),
            by_purpose=_merged(self.by_purpose, other.by_purpose),
        )

    def in_words(self, cost: str = "") -> str:
        """In one line, for people; `cost` in place of what is known of that."""
        parts = ((self.cached_tokens, "cached"), (self.cache_written_tokens, "written to the cache"))
        cached = ", ".join(f"{count} {word}" for count, word in parts if count)
        cached = f" ({cached})" if cached else ""
        thought = f" ({self.reasoning_tokens} to reason)" if self.reasoning_tokens else ""
        cost = cost or ("cost unknown" if self.cost is None else f"${self.cost:.4f}")
        requests = counted(self.requests, "request")
        estimated = ", partly estimated" if self.is_estimated else ""
        return (
            f"{requests}, {self.input_tokens} tokens in{cached}, {self.output_tokens} out{thought}, {cost}{estimated}"
        )

    def parts_in_words(self) -> tuple[str, ...]:
        """Describe the usage per model, if there were several, and per purpose, if there were others than answers."""
        parts = [*self.by_model.items()] if len(self.by_model) > 1 else []
        if any(purpose != "answer" for purpose in self.by_purpose):
            parts += [(words, self.by_purpose[name]) for name, words in _PURPOSES.items() if name in self.by_purpose]
        return tuple(f"{name}: {usage.in_words()}" for name, usage in parts)


def _merged(some: Mapping[_Name, Usage], others: Mapping[_Name, Usage]) -> dict[_Name, Usage]:
    parts = dict(some)
    for name, usage in others.items():
        parts[name] = parts[name].plus(usage) if name in parts else usage
    return parts


class ToolCall(FrozenModel):
    """`id` is the provider's; `arguments` the raw JSON text."""

    id: str
    name: str
    arguments: str

    @classmethod
    def of(cls, call_id: str, name: str, arguments: Any) -> "ToolCall":
        """Return the call with arguments as data."""
        return cls(id=call_id, name=name, arguments=json.dumps(arguments, ensure_ascii=False))


PLAN_HEADING = "## APPROVED EXECUTION PLAN"
"""First line of the message that pins the approved plan."""

REDACTED = "[redacted]"
"""Replacement for a secret in a stored message; a resumed session reads it like this."""

REWINDS_TO = "rewinds_to"
"""Metadata key of a message: id of the first message that the user rewound, which the agent no longer sees."""

FAILURE = "failure"
"""Metadata key of a message that tells of an error with which work ended: its `code`, a `title` in a few words, `text`
and `hint`; `can_try_again` = the work can go on where it ended.
"""

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
        pictures: images of a tool's result.
        metadata: `question_answer`, `plan_id`, `delegate`, `queued` and the like. `typed` is
            what the user wrote, where `content` has what it mentions, too. `is_hidden` marks a message for the model
            alone, whose content the user has said or seen elsewhere.
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
    pictures: tuple[KeptImage, ...] = ()
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
    def is_shown(self) -> bool:
        """The message is for the user, too."""
        return not self.metadata.get("is_hidden")

    @property
    def is_said_by_user(self) -> bool:
        """The user wrote it as a message, and not as the answer to a question."""
        return self.role == "user" and "question_answer" not in self.metadata


def active_messages(transcript: Sequence[Message]) -> Sequence[Message]:
    """Return the messages that the user hasn't rewound."""
    if not any(REWINDS_TO in message.metadata for message in transcript):
        return transcript
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


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request, in the chat-completions shape that litellm takes: `messages` and `tools` are JSON.

    Answers of the same model carry `reasoning_content` and `thinking_blocks`; an adapter leaves out what its provider
    doesn't want back. Requests of a session begin alike; by `session_id` a provider may find what it kept of them.
    """

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]]
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer. An empty one says that it has begun, and costs from now on."""

    text: str
    is_reasoning: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole reply; always the last item of a stream.

    `thinking_blocks` are the provider's own form of `reasoning`, signed or encrypted, which it may want back unchanged.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    thinking_blocks: tuple[Mapping[str, Any], ...] = ()
    usage: Usage = field(default_factory=Usage)
    finish_reason: str = "stop"


class Session(FrozenModel):
    """Persisted after every change; a stored session without a mode is in Plan.

    Attributes:
        id: UUIDv7.
        plan_file: the plan in hand, relative to the workspace folder; empty = none.
        made_plans: paths of the plans this session wrote, the only ones it may delete in Plan.
        model: the model chosen for this session; empty = by the settings.
    """

    id: str
    title: str = ""
    mode: Mode = Mode.PLAN
    role: str = "planner"
    plan_file: str = ""
    made_plans: tuple[str, ...] = ()
    model: str = ""
    usage: Usage = Field(default_factory=Usage)
    created_at: str = ""
    updated_at: str = ""
