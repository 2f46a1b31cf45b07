"""Requests to a language model and its replies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planact.model.chat.message import ToolCall
from planact.model.chat.usage import Usage


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request, in the chat-completions shape that litellm takes: `messages` and `tools` are JSON.

    Answers of the same model carry `reasoning_content` and `thinking_blocks`; an adapter leaves out what its provider
    doesn't want back.
    """

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]]


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
