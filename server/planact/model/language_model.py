"""What is known of a language model before it is asked anything."""

from pydantic import BaseModel, ConfigDict

DEMO_MODEL = "scripted:demo"
"""The model that comes with planact: it plays a script that fits any folder."""

# Where a provider's key isn't called after it. An empty name: it takes none, or has its own ways to log in.
_KEYS = {
    "azure": "AZURE_API_KEY",
    "bedrock": "",
    "fireworks_ai": "FIREWORKS_AI_API_KEY",
    "lm_studio": "",
    "ollama": "",
    "ollama_chat": "",
    "sagemaker": "",
    "together_ai": "TOGETHERAI_API_KEY",
    "vertex_ai": "",
    "xai": "XAI_API_KEY",
}
_FAMILIES = {"claude": "ANTHROPIC_API_KEY", "gemini": "GEMINI_API_KEY", "gpt": "OPENAI_API_KEY", "o": "OPENAI_API_KEY"}


class LanguageModel(BaseModel):
    """A model by its name; what nobody says of it is None, or 0.

    Attributes:
        name: as settings name it.
        context_tokens: how much it takes in one request.
        output_tokens: how much it writes at most.
        input_cost, output_cost: US dollars for a million tokens.
        calls_tools, takes_images, reasons: what it can do.
        key_variable: what usually holds the provider's key; empty where it takes none, or knows other ways.
        has_key: whether there is such a key; None where none is needed, or nobody knows.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    name: str
    provider: str = ""
    context_tokens: int = 0
    output_tokens: int = 0
    input_cost: float | None = None
    output_cost: float | None = None
    calls_tools: bool | None = None
    takes_images: bool | None = None
    reasons: bool | None = None
    key_variable: str = ""
    has_key: bool | None = None

    def cost_of(self, read: int, written: int) -> float | None:
        """US dollars for so many tokens, as far as anybody says."""
        if self.input_cost is None or self.output_cost is None:
            return None
        return (read * self.input_cost + written * self.output_cost) / 1_000_000


def key_variable(model: str) -> str:
    """The variable that usually holds the key for a model, or empty."""
    provider, slash, _ = model.partition("/")
    if slash:
        return _KEYS.get(provider, f"{provider.upper().replace('-', '_')}_API_KEY")
    return next((key for family, key in _FAMILIES.items() if model.startswith(family)), "")
