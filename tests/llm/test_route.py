"""Which of a provider's APIs a request goes to, as litellm knows the models."""

from typing import Any

import pytest

from planact.adapters.llm.effort import Effort
from planact.adapters.llm.litellm_model import LitellmLoader
from planact.adapters.llm.route import route_to

pytestmark = pytest.mark.asyncio(loop_scope="module")
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]


@pytest.mark.parametrize(
    ("name", "endpoint", "environment", "expected"),
    [
        ("openai/gpt-5", "", {}, ("openai/responses/gpt-5", True)),
        ("gpt-5", "", {}, ("openai/responses/gpt-5", True)),
        ("openai/o3", "", {}, ("openai/responses/o3", True)),
        ("openai/responses/gpt-5", "http://own/v1", {}, ("openai/responses/gpt-5", True)),
        ("openai/gpt-5-codex", "http://own/v1", {}, ("openai/gpt-5-codex", True)),
        ("openai/gpt-4o", "", {}, ("openai/gpt-4o", False)),
        ("openai/gpt-5-search-api", "", {}, ("openai/gpt-5-search-api", False)),
        ("openai/gpt-5", "http://own/v1", {}, ("openai/gpt-5", False)),
        ("openai/gpt-5", "", {"OPENAI_BASE_URL": "http://own/v1"}, ("openai/gpt-5", False)),
        ("openai/of-ones-own", "http://own/v1", {}, ("openai/of-ones-own", False)),
        ("azure/gpt-5.4", "http://own", {}, ("azure/gpt-5.4", True)),
        ("anthropic/claude-sonnet-4-5", "", {}, ("anthropic/claude-sonnet-4-5", False)),
    ],
)
async def test_reasoning_models_of_openai_are_asked_where_reasoning_is_carried(
    loader: LitellmLoader, name: str, endpoint: str, environment: dict[str, str], expected: tuple[str, bool]
) -> None:
    litellm = await loader.ready()
    provider = litellm.get_llm_provider(model=name)[1]
    route = route_to(litellm, name, provider, endpoint, {"tools": TOOLS}, environment)
    assert (route.name, route.is_responses) == expected
    arguments = route.arguments("s1")
    assert (arguments.get("store") is False) == route.is_responses
    assert "prompt_cache_key" not in route.arguments("")
    takes_key = provider == "openai" and (route.is_responses or not (endpoint or environment or "search" in name))
    assert arguments.get("prompt_cache_key") == ("s1" if takes_key else None)
    if not route.is_responses:  # litellm refuses what it doesn't know of the model
        model = name.removeprefix(f"{provider}/")
        litellm.utils.get_optional_params(model=model, custom_llm_provider=provider, **arguments)


@pytest.mark.parametrize(
    ("name", "effort", "given", "expected"),
    [
        ("anthropic/claude-sonnet-4-5", Effort("high", 64_000), {}, (16_000, 48_000)),
        ("anthropic/claude-sonnet-4-5", Effort("xhigh", 64_000), {}, (31_999, 63_999)),
        ("anthropic/claude-opus-4-5", Effort("high", 24_000), {}, (12_000, 24_000)),
        ("anthropic/claude-sonnet-4-5", Effort("high", 64_000), {"max_tokens": 20_000}, (16_000, None)),
        ("anthropic/claude-sonnet-4-5", Effort("high", 64_000), {"thinking": {"type": "disabled"}}, (None, None)),
        ("anthropic/claude-sonnet-4-5", Effort("", 64_000), {}, (None, None)),
        ("anthropic/claude-opus-4-6", Effort("high", 128_000), {}, (None, 48_000)),
    ],
)
async def test_an_older_claude_thinks_with_a_budget_that_leaves_room(
    loader: LitellmLoader, name: str, effort: Effort, given: dict[str, Any], expected: tuple[int | None, int | None]
) -> None:
    arguments = effort.arguments(await loader.ready(), name, "anthropic", given)
    budget, limit = expected
    assert arguments.get("thinking", {}).get("budget_tokens") == budget
    assert arguments.get("max_tokens") == limit
    assert ("interleaved-thinking" in str(arguments.get("extra_headers"))) == (budget is not None)
    assert not {"thinking", "reasoning_effort"} <= arguments.keys()
