"""What of a conversation goes to which provider: reasoning where it is wanted back, pictures where they are taken, and
marks where the provider keeps only what is marked for the next request.

A provider that is sent what it doesn't know refuses the request or bills the tokens for nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

_WANT_BLOCKS = {"anthropic", "azure_ai", "bedrock", "bedrock_converse", "databricks", "vertex_ai", "vertex_ai_beta"}
"""They sign what the model thought, and refuse a conversation with tool calls in which it is missing or changed."""

_WANT_REASONING = {"deepseek", "hosted_vllm", "minimax", "moonshot", "xiaomi_mimo", "zai"}
"""Their models think on between tool calls, and lose the thread without what they thought before."""

_KEEP_WHAT_IS_MARKED = {
    "anthropic",
    "azure_ai",
    "bedrock",
    "bedrock_converse",
    "databricks",
    "openrouter",
    "vertex_ai",
    "vertex_ai_beta",
}
"""Where Claude keeps of a request what is marked, and nothing else; other models keep what repeats by themselves."""

_MARK = {"type": "ephemeral"}

NO_IMAGE = "[planact: an image was left out, since this model takes none]"


def wants_marks(litellm: Any, provider: str, model: str) -> bool:
    """Whether the provider keeps only what is marked for the next request. Bedrock has versions of Claude that refuse a
    request with marks, so only those get them that are known to take them.
    """
    if provider not in _KEEP_WHAT_IS_MARKED or "claude" not in model.lower():
        return False
    return not provider.startswith("bedrock") or bool(litellm.utils.supports_prompt_caching(model))


def shaped_for(
    provider: str, messages: Sequence[Mapping[str, Any]], *, with_images: bool, with_marks: bool
) -> list[dict[str, Any]]:
    """A deep copy of the messages as the provider wants them; litellm changes what it is given."""
    shaped: list[dict[str, Any]] = copied(messages)
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
    if with_marks:
        # Where the request before ended, too: what is kept is looked for in the last 20 parts before a mark, and the
        # calls of one answer with their results can be more. The prompt's mark covers the tools, which come before it.
        for at in {0, _end_of_last_request(shaped), len(shaped) - 1}:
            _mark(shaped[at])
    return shaped


def _end_of_last_request(messages: Sequence[Mapping[str, Any]]) -> int:
    """The place of the message before the last answer; 0 where there was none."""
    return next((at - 1 for at in range(len(messages) - 1, 0, -1) if messages[at]["role"] == "assistant"), 0)


def copied(value: Any) -> Any:
    """The same JSON value, sharing nothing that could be changed; `copy.deepcopy` takes some ten times as long."""
    if isinstance(value, dict):
        return {name: each if isinstance(each, str) else copied(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [copied(each) for each in value]
    return value


def _mark(message: dict[str, Any]) -> None:
    """Have the provider keep everything up to here, at a tenth of the price. The mark is no part of what is kept."""
    content = message.get("content")
    if not content:
        return
    if message["role"] == "tool":
        message["cache_control"] = _MARK
    elif isinstance(content, str):
        message["content"] = [{"type": "text", "text": content, "cache_control": _MARK}]
    else:
        content[-1]["cache_control"] = _MARK
