"""The providers that the suite speaks with: each has a published API, a model and what its user sets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.real.wire.families.anthropic import Anthropic
from tests.real.wire.families.gemini import Gemini
from tests.real.wire.families.openai_chat import OpenaiChat
from tests.real.wire.server import Family


@dataclass(frozen=True)
class Wire:
    """A provider as a user has it.

    Attributes:
        title: its name in the documentation.
        model: a model of it, as litellm names it.
        base: what follows the server's address in `modelEndpoint`.
        parameters: the user's `modelParameters`.
        carries: how its reasoning goes back: `signed`, `plain`, or not at all.
        effort: path to where the effort stands in the request's body; empty where the model can't be told so.
        takes_pictures: the model does.
    """

    title: str
    model: str
    family: Family
    base: str = ""
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"api_key": "sk-user-0123456789"})
    carries: str = ""
    effort: str = ""
    takes_pictures: bool = True


WIRES: Sequence[Wire] = (
    Wire("OpenAI, chat", "openai/gpt-4o", OpenaiChat(), "/v1"),
    Wire("Anthropic", "anthropic/claude-sonnet-4-5", Anthropic(), carries="signed", effort="thinking.budget_tokens"),
    Wire(
        "Anthropic, adaptive", "anthropic/claude-opus-4-6", Anthropic(), carries="signed", effort="output_config.effort"
    ),
    Wire(
        "Gemini 3",
        "gemini/gemini-3.1-pro-preview",
        Gemini(),
        carries="signed",
        effort="generationConfig.thinkingConfig",
    ),
)
