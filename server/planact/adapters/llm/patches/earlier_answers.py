"""Send earlier answers back whole. Applied once litellm is imported."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any


def send_encrypted_thoughts_to_bedrock(litellm: Any) -> None:
    """Have litellm send Bedrock the thoughts that came encrypted, in their order among the others."""
    factory = import_module(f"{litellm.__name__}.litellm_core_utils.prompt_templates.factory")
    processor: Any = factory.BedrockConverseMessagesProcessor
    translate = processor.translate_thinking_blocks_to_reasoning_content_blocks

    def translate_all(thinking_blocks: Sequence[Mapping[str, Any]]) -> list[Any]:
        return [
            {"reasoningContent": {"redactedContent": block["data"]}}
            if block.get("type") == "redacted_thinking"
            else translate([block])[0]
            for block in thinking_blocks
        ]

    processor.translate_thinking_blocks_to_reasoning_content_blocks = staticmethod(translate_all)
