"""What the model was paid for."""

from typing import Self

from pydantic import BaseModel, ConfigDict, Field


class Usage(BaseModel):
    """Tokens as the provider reports them; `cost` in US dollars, None when the price isn't known.

    `cached_tokens` are those of `input_tokens` that the provider had kept from before. `is_estimated` = some of it was
    not reported, and is reckoned from lengths. Sums have their parts `by_model`, but for what older versions summed up.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = None
    requests: int = 0
    is_estimated: bool = False
    by_model: dict[str, "Usage"] = Field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """All that was read and written."""
        return self.input_tokens + self.output_tokens

    def of(self, model: str) -> "Usage":
        """The same as a part of a sum: what the model called `model` used."""
        alone = Usage(**self.model_dump(exclude={"by_model"}))
        return alone.model_copy(update={"by_model": {model: alone}})

    def plus(self, other: Self) -> "Usage":
        """The sum; the cost is unknown only when neither is known."""
        known = [cost for cost in (self.cost, other.cost) if cost is not None]
        parts = dict(self.by_model)
        for name, usage in other.by_model.items():
            parts[name] = parts[name].plus(usage) if name in parts else usage
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            cost=sum(known) if known else None,
            requests=self.requests + other.requests,
            is_estimated=self.is_estimated or other.is_estimated,
            by_model=parts,
        )

    def in_words(self, cost: str = "") -> str:
        """In one line, for people; `cost` in place of what is known of that."""
        cached = f" ({self.cached_tokens} cached)" if self.cached_tokens else ""
        cost = cost or ("cost unknown" if self.cost is None else f"${self.cost:.4f}")
        requests = f"{self.requests} {'request' if self.requests == 1 else 'requests'}"
        estimated = ", partly estimated" if self.is_estimated else ""
        return f"{requests}, {self.input_tokens} tokens in{cached}, {self.output_tokens} out, {cost}{estimated}"

    def parts_in_words(self) -> tuple[str, ...]:
        """The same for each model, where there were several."""
        parts = self.by_model.items() if len(self.by_model) > 1 else ()
        return tuple(f"{name}: {usage.in_words()}" for name, usage in parts)
