"""Which of a provider's APIs a request goes to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_OWN_ADDRESSES = ("OPENAI_BASE_URL", "OPENAI_API_BASE")

_REASONING = {"store": False, "include": ["reasoning.encrypted_content"]}
"""OpenAI keeps nothing of the conversation, and gives its reasoning encrypted, to be sent back."""


@dataclass(frozen=True, slots=True)
class Route:
    """The way to a model.

    Attributes:
        name: the model as litellm gets it.
        is_responses: OpenAI's API of responses, which carries reasoning from call to call.
    """

    name: str
    is_responses: bool = False

    @property
    def arguments(self) -> Mapping[str, Any]:
        """What the API needs beside the parameters of the user."""
        return _REASONING if self.is_responses else {}


def route_to(
    litellm: Any, name: str, provider: str, endpoint: str, arguments: Mapping[str, Any], environment: Mapping[str, str]
) -> Route:
    """Return the way to the model for a request with these `arguments`. A model of OpenAI's that reasons is asked where
    its reasoning is carried, unless another server stands in OpenAI's place.
    """
    if provider not in ("openai", "azure"):
        return Route(name)
    model = name.removeprefix(f"{provider}/")
    about = litellm.model_cost.get(model) or {}
    is_own = (
        not endpoint and not arguments.keys() & {"api_base", "base_url"} and not environment.keys() & {*_OWN_ADDRESSES}
    )
    carries = about.get("supports_reasoning") and "/v1/responses" in (about.get("supported_endpoints") or ())
    if provider == "openai" and is_own and carries and not model.startswith("responses/"):
        name, model = f"openai/responses/{model}", f"responses/{model}"
    try:
        found, _ = litellm.main.responses_api_bridge_check(
            model,
            provider,
            tools=arguments.get("tools"),
            reasoning_effort=arguments.get("reasoning_effort"),
            api_base=endpoint or arguments.get("api_base"),
        )
    except ValueError:  # an endpoint that is no URL; the request will fail and say so
        found = {}
    return Route(name, found.get("mode") == "responses")
