"""Tokens used and money spent on requests to models."""

from collections.abc import Mapping
from typing import Literal, Self, TypeVar

from pydantic import Field

from planact.base.frozen_model import FrozenModel
from planact.base.text import counted

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

    `cached_tokens` are those of `input_tokens` that the provider had kept from before. `is_estimated` = some of it was
    not reported, and is reckoned from lengths. Sums have their parts `by_model` and `by_purpose`, but for what older
    versions summed up.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
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
            cost=sum(known) if known else None,
            requests=self.requests + other.requests,
            is_estimated=self.is_estimated or other.is_estimated,
            by_model=_merged(self.by_model, other.by_model),
            by_purpose=_merged(self.by_purpose, other.by_purpose),
        )

    def in_words(self, cost: str = "") -> str:
        """In one line, for people; `cost` in place of what is known of that."""
        cached = f" ({self.cached_tokens} cached)" if self.cached_tokens else ""
        cost = cost or ("cost unknown" if self.cost is None else f"${self.cost:.4f}")
        requests = counted(self.requests, "request")
        estimated = ", partly estimated" if self.is_estimated else ""
        return f"{requests}, {self.input_tokens} tokens in{cached}, {self.output_tokens} out, {cost}{estimated}"

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
