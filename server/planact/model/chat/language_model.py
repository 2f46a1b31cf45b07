"""Facts about a language model that are known before the first request."""

from planact.base.frozen_model import FrozenModel

DEMO_MODEL = "scripted:demo"
"""The model that comes with planact: it plays a script that fits any folder."""

EDITOR_PROVIDER = "vscode"
"""Begins the names of models that VS Code brings along."""

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
    "vscode": "",
    "xai": "XAI_API_KEY",
}
_FAMILIES = {"claude": "ANTHROPIC_API_KEY", "gemini": "GEMINI_API_KEY", "gpt": "OPENAI_API_KEY", "o": "OPENAI_API_KEY"}


class EditorModelError(Exception):
    """A request to a model of the editor's failed; its `kind` is `forbidden`, `gone`, `blocked` or another word."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class LanguageModel(FrozenModel):
    """A model by its name; unknown facts are None or 0.

    Attributes:
        name: as settings name it.
        context_tokens: the size of its context window.
        output_tokens: the most that one reply may have.
        input_cost, output_cost: US dollars for a million tokens.
        calls_tools, takes_images, reasons: abilities.
        key_variable: the environment variable that usually holds the provider's key; empty if none is needed or the
            provider signs in otherwise.
        has_key: the key is set; None where none is needed, or it isn't known.
    """

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
        """Return the cost of `read` and `written` tokens in US dollars; None if the prices aren't known."""
        if self.input_cost is None or self.output_cost is None:
            return None
        return (read * self.input_cost + written * self.output_cost) / 1_000_000


def key_variable(model: str) -> str:
    """The variable that usually holds the key for a model, or empty."""
    provider, slash, _ = model.partition("/")
    if slash:
        return _KEYS.get(provider, f"{provider.upper().replace('-', '_')}_API_KEY")
    return next((key for family, key in _FAMILIES.items() if model.startswith(family)), "")
