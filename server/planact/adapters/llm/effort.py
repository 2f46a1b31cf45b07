"""How long a model thinks, told in the way that litellm knows for it, and room for the answer beside the thoughts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_BUDGETS = {"minimal": 2_000, "low": 4_000, "medium": 10_000, "high": 16_000, "xhigh": 31_999}
"""Tokens to think with; litellm's own are 128 to 16,384, so that its highest but one ends after 4,096."""

_ROOM = 32_000
"""Tokens for the answer itself; litellm would leave 4,096 beside the thoughts."""

_INTERLEAVED = "interleaved-thinking-2025-05-14"
"""Claude thinks between tool calls only if asked to, where it thinks with a budget."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The user's word for how long a model thinks.

    Attributes:
        level: `reasoningEffort` of the settings; empty = as the provider has it.
        output_tokens: most tokens of an answer; 0 = unknown.
        is_known: litellm's table has the model.
    """

    level: str = ""
    output_tokens: int = 0
    is_known: bool = True

    def arguments(self, litellm: Any, name: str, provider: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments for litellm beside the `given` parameters of the user, which count more."""
        if not self.level or given.keys() & {"thinking", "reasoning_effort"}:
            return {}
        model = name.removeprefix(f"{provider}/")
        if "reasoning_effort" not in (litellm.get_supported_openai_params(model, provider) or ()):
            if self.is_known:
                return {}
            return {"reasoning_effort": self.level, "allowed_openai_params": ["reasoning_effort"]}
        budget = _BUDGETS.get(self.level, 0)
        arguments: dict[str, Any] = {"reasoning_effort": self.level}
        if self.output_tokens:
            limit = min(self.output_tokens, _ROOM + budget)
            budget = min(budget, limit // 2)
            if not given.keys() & {"max_tokens", "max_completion_tokens"}:
                arguments["max_tokens"] = limit
        if budget and _thinks_with_budget(litellm, model, provider, self.level):
            del arguments["reasoning_effort"]
            arguments["thinking"] = {"type": "enabled", "budget_tokens": budget}
            if "claude-3" not in model:
                arguments |= _asked_to_interleave(provider, given)
        return arguments


def _asked_to_interleave(provider: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return where the provider wants to be told; AWS takes no headers but its own."""
    if provider.startswith("bedrock"):
        return {"anthropic_beta": [_INTERLEAVED, *(given.get("anthropic_beta") or ())]}
    return {"extra_headers": {"anthropic-beta": _INTERLEAVED} | dict(given.get("extra_headers") or {})}


def _thinks_with_budget(litellm: Any, model: str, provider: str, level: str) -> bool:
    """Return True for a Claude that litellm would give a budget; later ones decide for themselves."""
    if "claude" not in model.lower():
        return False
    mapped = litellm.utils.get_optional_params(model=model, custom_llm_provider=provider, reasoning_effort=level)
    return bool((mapped.get("thinking") or {}).get("type") == "enabled")
