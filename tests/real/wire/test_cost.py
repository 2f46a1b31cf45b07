"""What an answer cost: by the provider's own figure, by the table, or unknown, and never zero for want of a price."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader
from planact.model.chat.message import Reply, Usage
from planact.ports import Model
from tests.real.wire.conversation import READ, ModelRequest
from tests.real.wire.families.openai_chat import USAGE, OpenaiChat
from tests.real.wire.providers import WIRES
from tests.real.wire.server import Provider, Said
from tests.real.wire.test_conversation import model_of

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]
BY_TITLE = {wire.title: wire for wire in WIRES}


async def usage_of(title: str, loader: LitellmLoader, folder: Path, usage: dict[str, Any] | None = None) -> Usage:
    wire = BY_TITLE[title]
    if usage is not None:
        assert isinstance(wire.family, OpenaiChat)
        wire = replace(wire, family=replace(wire.family, usage=usage))
    with Provider(wire.family, lambda sent: wire.family.answer(Said("Hello", "Hm."), sent)) as server:
        model: Model = model_of(wire, server.url, loader, folder)
        *_, reply = [each async for each in model.stream(ModelRequest([{"role": "user", "content": "Hi"}], [READ]))]
    assert isinstance(reply, Reply)
    return reply.usage


@pytest.mark.parametrize(
    ("told", "cost"),
    [
        ({"cost": 0.0123}, 0.0123),
        ({"cost": 0}, 0.0),
        ({"cost": 0.0001, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.0122}}, 0.0123),
        ({"cost": 0.0123, "is_byok": False, "cost_details": {"upstream_inference_cost": 0.5}}, 0.0123),
        ({}, None),
    ],
)
async def test_the_providers_own_figure_is_the_cost(
    told: dict[str, Any], cost: float | None, loader: LitellmLoader, tmp_path: Path
) -> None:
    assert (await usage_of("OpenRouter", loader, tmp_path, {**USAGE, **told})).cost == pytest.approx(cost)


@pytest.mark.parametrize("title", ["OpenAI-like server", "vLLM", "LM Studio"])
async def test_a_model_without_a_price_has_no_cost(title: str, loader: LitellmLoader, tmp_path: Path) -> None:
    assert (await usage_of(title, loader, tmp_path)).cost is None


async def test_a_listed_model_costs_what_the_table_says(loader: LitellmLoader, tmp_path: Path) -> None:
    usage = await usage_of("Anthropic", loader, tmp_path)
    prices = (await loader.ready()).model_cost["claude-sonnet-4-5"]
    parts = ((50, "input"), (20, "output"), (40, "cache_read_input_token"), (10, "cache_creation_input_token"))
    names = {"input": "input_cost_per_token", "output": "output_cost_per_token"}
    assert usage.cost == pytest.approx(sum(count * prices[names.get(part, f"{part}_cost")] for count, part in parts))
    assert (usage.input_tokens, usage.cached_tokens, usage.cache_written_tokens) == (100, 40, 10)


@pytest.mark.parametrize("title", ["OpenAI, chat", "OpenAI, responses", "Gemini 3", "DeepSeek"])
async def test_tokens_to_reason_with_are_told_apart(title: str, loader: LitellmLoader, tmp_path: Path) -> None:
    assert (await usage_of(title, loader, tmp_path)).reasoning_tokens == 5
