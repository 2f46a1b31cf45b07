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
        takes_cache_key: it finds what it kept of a conversation by a key.
    """

    name: str
    is_responses: bool = False
    takes_cache_key: bool = False

    def arguments(self, session_id: str) -> Mapping[str, Any]:
        """Return the arguments that the API needs beside the parameters of the user."""
        key = {"prompt_cache_key": session_id} if self.takes_cache_key and session_id else {}
        return {**(_REASONING if self.is_responses else {}), **key}


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
    is_responses = found.get("mode") == "responses"
    # Other servers refuse what they don't know, and Azure in many of its versions.
    has_keys = is_responses or (is_own and "prompt_cache_key" in litellm.get_supported_openai_params(model, provider))
    return Route(name, is_responses, provider == "openai" and has_keys)
