"""What of a conversation goes to which provider: reasoning where it is wanted back, pictures where they are taken.

A provider that is sent what it doesn't know refuses the request or bills the tokens for nothing.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

_WANT_BLOCKS = {"anthropic", "azure_ai", "bedrock", "bedrock_converse", "databricks", "vertex_ai", "vertex_ai_beta"}
"""They sign what the model thought, and refuse a conversation with tool calls in which it is missing or changed."""

_WANT_REASONING = {"deepseek", "hosted_vllm", "minimax", "moonshot", "xiaomi_mimo", "zai"}
"""Their models think on between tool calls, and lose the thread without what they thought before."""

NO_IMAGE = "[planact: an image was left out, since this model takes none]"


def shaped_for(provider: str, messages: Sequence[Mapping[str, Any]], *, with_images: bool) -> list[dict[str, Any]]:
    """A deep copy of the messages as the provider wants them; litellm changes what it is given."""
    shaped = [copy.deepcopy(dict(message)) for message in messages]
    for message in shaped:
        if provider not in _WANT_BLOCKS:
            message.pop("thinking_blocks", None)
        if provider not in _WANT_REASONING:
            message.pop("reasoning_content", None)
        if provider in _WANT_BLOCKS and message.get("tool_calls") and not message["content"]:
            message["content"] = None  # else litellm puts words into the model's mouth
        if not with_images and isinstance(message.get("content"), list):
            texts = [part["text"] if part["type"] == "text" else NO_IMAGE for part in message["content"]]
            message["content"] = "\n".join(texts)
    return shaped
