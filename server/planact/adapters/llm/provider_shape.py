"""Messages in the form that each provider takes: reasoning, pictures and cache marks only where the provider wants
them.

A provider refuses a request with unknown fields, or bills the tokens for no use.
"""

import marshal
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from planact.adapters.llm.reasoning import SIGNATURE
from planact.model.chat.message import ModelRequest

_WANT_BLOCKS = {"anthropic", "azure_ai", "bedrock", "bedrock_converse", "databricks", "vertex_ai", "vertex_ai_beta"}
"""They sign what the model thought, and refuse a conversation with tool calls in which it is missing or changed."""

_SIGNS_TEXT = {"gemini", "vertex_ai", "vertex_ai_beta"}
"""Gemini's signature of a text goes back beside the text."""

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

_SEE_RESULTS = {"anthropic"}
"""They take images in the results of tools; for others a message of the user's follows the results."""

IMAGES_OF_RESULTS = "[planact] The images of the results above:"

_SIMPLE = {str, int, float, bool, type(None)}

_MARK = {"type": "ephemeral"}

NO_IMAGE = "[planact: an image was left out, since this model takes none]"
BAD_IMAGE = "[planact: an image was left out, since the model's provider took not all images of this conversation]"


def wants_marks(litellm: Any, provider: str, model: str) -> bool:
    """Return True if the provider caches only marked parts. Bedrock has versions of Claude that refuse marks, so only
    models known to take them get marks there.
    """
    if provider not in _KEEP_WHAT_IS_MARKED or "claude" not in model.lower():
        return False
    return not provider.startswith("bedrock") or bool(litellm.utils.supports_prompt_caching(model))


def shaped_for(
    provider: str,
    messages: Sequence[Mapping[str, Any]],
    *,
    with_images: bool,
    with_marks: bool,
    as_responses: bool = False,
) -> list[dict[str, Any]]:
    """Return a deep copy of the messages for the provider; litellm changes the messages that it gets."""
    # For a thousand messages, no two of which share a part, this takes half the time of `copied`.
    shaped: list[dict[str, Any]] = marshal.loads(marshal.dumps([*messages]))  # noqa: S302  the bytes are made here
    wants_reasoning, wants_empty = provider in _WANT_REASONING, provider in _WANT_BLOCKS | _SIGNS_TEXT
    for message in shaped:
        if blocks := message.pop("thinking_blocks", None):
            _put_back(provider, message, blocks, as_responses=as_responses)
        if not wants_reasoning:
            message.pop("reasoning_content", None)
        if wants_empty and message.get("tool_calls") and not message["content"]:
            message["content"] = None  # else litellm puts words, or an empty text, into the model's mouth
        if not with_images and isinstance(message.get("content"), list):
            message["content"] = _in_words(message["content"], NO_IMAGE)
    if provider not in _SEE_RESULTS:
        shaped = _with_images_apart(shaped)
    if with_marks:
        # Where the request before ended, too: what is kept is looked for in the last 20 parts before a mark, and the
        # calls of one answer with their results can be more. The prompt's mark covers the tools, which come before it.
        for at in {0, _end_of_last_request(shaped), len(shaped) - 1}:
            _mark(shaped[at])
    return shaped


def without_images(request: ModelRequest) -> ModelRequest:
    """Return the request with words in place of its images; the same one where it has none."""
    messages = [
        {**message, "content": _in_words(message["content"], BAD_IMAGE)} if _has_image(message) else message
        for message in request.messages
    ]
    return replace(request, messages=messages) if any(map(_has_image, request.messages)) else request


def _has_image(message: Mapping[str, Any]) -> bool:
    parts = message.get("content")
    return isinstance(parts, list) and any(part["type"] != "text" for part in parts)


def _in_words(parts: Sequence[Mapping[str, Any]], for_image: str) -> str:
    return "\n".join(part["text"] if part["type"] == "text" else for_image for part in parts)


def _with_images_apart(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages with the images of results in a message of the user's behind the results of one answer."""
    apart: list[dict[str, Any]] = []
    images: list[dict[str, Any]] = []
    for message in messages:
        if images and message["role"] != "tool":
            apart.append({"role": "user", "content": [{"type": "text", "text": IMAGES_OF_RESULTS}, *images]})
            images = []
        if message["role"] == "tool" and isinstance(message.get("content"), list):
            images += [part for part in message["content"] if part["type"] != "text"]
            texts = [part["text"] for part in message["content"] if part["type"] == "text"]
            message = {**message, "content": "\n".join(texts)}
        apart.append(message)
    if images:
        apart.append({"role": "user", "content": [{"type": "text", "text": IMAGES_OF_RESULTS}, *images]})
    return apart


def _put_back(
    provider: str, message: dict[str, Any], blocks: Sequence[Mapping[str, Any]], *, as_responses: bool
) -> None:
    """Put what the provider signed or encrypted in an answer where litellm looks for it, and leave out all else."""
    thoughts = [block for block in blocks if block.get("type") in ("thinking", "redacted_thinking")]
    if thoughts and provider in _WANT_BLOCKS:
        message["thinking_blocks"] = thoughts
    signatures = [block["signature"] for block in blocks if block.get("type") == SIGNATURE]
    if signatures and provider in _SIGNS_TEXT:
        message["provider_specific_fields"] = {"thought_signatures": signatures}
    items = [block for block in blocks if block.get("type") == "reasoning"]
    if items and as_responses:
        message["reasoning_items"] = items
    details = [block for block in blocks if str(block.get("type")).startswith("reasoning.")]
    if details and provider == "openrouter":
        message["reasoning_details"] = details


def _end_of_last_request(messages: Sequence[Mapping[str, Any]]) -> int:
    """Return the index of the message before the last answer; 0 without an answer."""
    return next((at - 1 for at in range(len(messages) - 1, 0, -1) if messages[at]["role"] == "assistant"), 0)


def copied(value: Any) -> Any:
    """Return a deep copy of a JSON value, in which no two parts are one; `copy.deepcopy` takes ten times as long."""
    if isinstance(value, dict):
        return {name: each if type(each) in _SIMPLE else copied(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [each if type(each) in _SIMPLE else copied(each) for each in value]
    return value


def _mark(message: dict[str, Any]) -> None:
    """Mark the end of a part that the provider caches at a tenth of the price. The mark itself is not cached."""
    content = message.get("content")
    if not content:
        return
    if message["role"] == "tool":
        message["cache_control"] = _MARK
    elif isinstance(content, str):
        message["content"] = [{"type": "text", "text": content, "cache_control": _MARK}]
    else:
        content[-1]["cache_control"] = _MARK
