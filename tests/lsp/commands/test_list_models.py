"""`planact.listModels`: what is known by name, from litellm's table and without litellm."""

from pathlib import Path

import pytest

from tests.lsp.commands.planact_client import SCRIPT, PlanactClient, planact_client

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_models_of_the_settings_come_first_then_those_whose_key_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test")
    async with planact_client(tmp_path, settings={"actorModel": "openai/gpt-4o"}) as client:
        listed = (await client.do("listModels")).models
    assert [model.name for model in listed[:2]] == [f"scripted:{SCRIPT}", "openai/gpt-4o"]
    assert {(model.provider, model.has_key) for model in listed[2:]} == {("anthropic", True)}


async def test_any_known_model_is_found_with_what_it_takes_and_costs(client: PlanactClient) -> None:
    (model,) = (await client.do("listModels", search="anthropic/ sonnet-4-5-2025", all=True)).models
    assert model.context_tokens >= 200_000
    assert (model.input_cost, model.output_cost) == (3.0, 15.0)
    assert (model.calls_tools, model.takes_images, model.reasons) == (True, True, True)
