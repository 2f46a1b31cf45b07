"""Tokens and cost of an answer: as the provider says, else by litellm's table, else unknown."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from planact.model.chat.message import Usage

_TELL_COST = {"openrouter"}
"""Their word is the bill, also where it is zero."""

_MOST_TOKENS = 1_000_000_000


def reported_usage(litellm: Any, model: str, provider: str, chunks: Sequence[Any]) -> Usage:
    """Return the usage that the provider reports, which may be spread over several chunks."""
    # litellm looks through each chunk six times, and an answer may have thousands.
    telling = [chunk for chunk in chunks if getattr(chunk, "usage", None) is not None or _ends(chunk)]
    if not telling:
        return Usage(requests=1)
    processor = litellm.litellm_core_utils.streaming_chunk_builder_utils.ChunkProcessor(telling)
    reported = processor.calculate_usage(telling, model, completion_output="")
    tokens_in, tokens_out = _count(reported, "prompt_tokens"), _count(reported, "completion_tokens")
    if not tokens_in + tokens_out:
        return Usage(requests=1)
    read, written = reported.prompt_tokens_details, reported.completion_tokens_details
    cost = _reported_cost(provider, reported, telling)
    return Usage(
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cached_tokens=_count(read, "cached_tokens"),
        cache_written_tokens=_count(read, "cache_creation_tokens") or _count(reported, "cache_creation_input_tokens"),
        reasoning_tokens=_count(written, "reasoning_tokens"),
        cost=_table_cost(litellm, model, provider, reported) if cost is None else cost,
        requests=1,
    )


def _ends(chunk: Any) -> bool:
    """The chunk says that the answer is complete, without which litellm doubts what Claude reports."""
    return any(choice.finish_reason for choice in chunk.choices)


def _reported_cost(provider: str, reported: Any, chunks: Sequence[Any]) -> float | None:
    """Return the provider's own figure. Where the user brings a key of another provider's, that one's bill is told
    apart.
    """
    cost = _amount(getattr(reported, "cost", None))
    if cost is None or (not cost and provider not in _TELL_COST):
        return None
    told = [usage for chunk in chunks if (usage := getattr(chunk, "usage", None)) is not None]
    details = [getattr(usage, "cost_details", None) for usage in told]
    upstream = [_amount(each.get("upstream_inference_cost")) or 0.0 for each in details if isinstance(each, Mapping)]
    is_own_key = any(getattr(usage, "is_byok", False) for usage in told)
    return cost + (max(upstream, default=0.0) if is_own_key else 0.0)


def _table_cost(litellm: Any, model: str, provider: str, reported: Any) -> float | None:
    """Return the cost by litellm's table, None for a model without a price. litellm takes a missing price for zero."""
    try:
        found = sum(litellm.cost_per_token(model=model, custom_llm_provider=provider, usage_object=reported))
    except Exception:  # noqa: BLE001  litellm raises plain exceptions for a model whose price it doesn't know
        return None
    cost = _amount(found)
    bare = model.removeprefix(f"{provider}/")
    entries = (litellm.model_cost.get(name) or {} for name in (model, bare, f"{provider}/{bare}"))
    return cost if cost or any(entry.get("input_cost_per_token") == 0 for entry in entries) else None


def _count(details: Any, name: str) -> int:
    """Return a number of tokens; what can be none counts as not reported, since limits are reckoned with it."""
    value = getattr(details, name, None)
    return value if isinstance(value, int) and 0 <= value <= _MOST_TOKENS else 0


def _amount(value: Any) -> float | None:
    """Return an amount of money, None for what is none: with NaN no limit of cost would ever be reached."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and math.isfinite(value) and value >= 0 else None
