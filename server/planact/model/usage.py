"""What the model was paid for."""

from typing import Self

from pydantic import BaseModel, ConfigDict


class Usage(BaseModel):
    """Tokens as the provider reports them; `cost` in US dollars, None when the price isn't known.

    `is_estimated` = some of it was not reported, and is reckoned from lengths.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = None
    requests: int = 0
    is_estimated: bool = False

    @property
    def tokens(self) -> int:
        """All that was read and written."""
        return self.input_tokens + self.output_tokens

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
        )
