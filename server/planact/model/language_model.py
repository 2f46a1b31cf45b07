"""What is known of a language model before it is asked anything."""

from pydantic import BaseModel, ConfigDict


class LanguageModel(BaseModel):
    """A model by its name; what nobody says of it is None, or 0.

    Attributes:
        name: as settings name it.
        context_tokens: how much it takes in one request.
        output_tokens: how much it writes at most.
        input_cost, output_cost: US dollars for a million tokens.
        calls_tools, takes_images, reasons: what it can do.
        has_key: whether the provider's key is in the environment.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    provider: str = ""
    context_tokens: int = 0
    output_tokens: int = 0
    input_cost: float | None = None
    output_cost: float | None = None
    calls_tools: bool | None = None
    takes_images: bool | None = None
    reasons: bool | None = None
    has_key: bool = False
