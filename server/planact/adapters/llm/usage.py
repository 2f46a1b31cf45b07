"""Tokens and cost of an answer: as the provider says, else by litellm's table, else unknown."""

from collections.abc import Sequence
from typing import Any

from planact.model.chat.message import Usage

_TELL_COST = {"openrouter"}
"""Their word is the bill, also where it is zero."""


def reported_usage(litellm: Any, model: str, provider: str, chunks: Sequence[Any]) -> Usage:
    """Return the usage that the provider reports, which may be spread over several chunks."""
    # litellm looks through each chunk six times, and an answer may have thousands.
    telling = [chunk for chunk in chunks if getattr(chunk, "usage", None) is not None or _ends(chunk)]
    if not telling:
        return Usage(requests=1)
    processor = litellm.litellm_core_utils.streaming_chunk_builder_utils.ChunkProcessor(telling)
    reported = processor.calculate_usage(telling, model, completion_output="")
    if not reported.total_tokens:
        return Usage(requests=1)
    read, written = reported.prompt_tokens_details, reported.completion_tokens_details
    cost = _told_cost(provider, reported, telling)
    return Usage(
        input_tokens=reported.prompt_tokens,
        output_tokens=reported.completion_tokens,
        cached_tokens=_count(read, "cached_tokens"),
        cache_written_tokens=_count(read, "cache_creation_tokens") or _count(reported, "cache_creation_input_tokens"),
        reasoning_tokens=_count(written, "reasoning_tokens"),
        cost=_table_cost(litellm, model, provider, reported) if cost is None else cost,
        requests=1,
    )


def _ends(chunk: Any) -> bool:
    """The chunk says that the answer is complete, without which litellm doubts what Claude reports."""
    return any(choice.finish_reason for choice in chunk.choices)


def _told_cost(provider: str, reported: Any, chunks: Sequence[Any]) -> float | None:
    """Return the provider's own figure. Where the user brings a key of another provider's, that one's bill is told
    apart.
    """
    cost = getattr(reported, "cost", None)
    if (
        isinstance(cost, bool)
        or not isinstance(cost, int | float)
        or cost < 0
        or (not cost and provider not in _TELL_COST)
    ):
        return None
    told = [usage for chunk in chunks if (usage := getattr(chunk, "usage", None)) is not None]
    upstream = [(getattr(usage, "cost_details", None) or {}).get("upstream_inference_cost") or 0.0 for usage in told]
    is_own_key = any(getattr(usage, "is_byok", False) for usage in told)
    return cost + (max(upstream, default=0.0) if is_own_key else 0.0)


def _table_cost(litellm: Any, model: str, provider: str, reported: Any) -> float | None:
    """Return the cost by litellm's table, None for a model without a price. litellm takes a missing price for zero."""
    try:
        cost = sum(litellm.cost_per_token(model=model, custom_llm_provider=provider, usage_object=reported))
    except Exception:  # noqa: BLE001  litellm raises plain exceptions for a model whose price it doesn't know
        return None
    bare = model.removeprefix(f"{provider}/")
    entries = (litellm.model_cost.get(name) or {} for name in (model, bare, f"{provider}/{bare}"))
    return cost if cost or any(entry.get("input_cost_per_token") == 0 for entry in entries) else None


def _count(details: Any, name: str) -> int:
    return getattr(details, name, None) or 0
