"""`planact.listModels`: what is known by name, from litellm's table and without litellm."""

import pytest

from tests.lsp.commands.planact_client import SCRIPT, PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_models_of_the_settings_come_first(client: PlanactClient) -> None:
    listed = await client.do("listModels")
    assert listed.models[0].name == f"scripted:{SCRIPT}"
    assert all(model.has_key for model in listed.models[1:])


async def test_any_known_model_is_found_with_what_it_takes_and_costs(client: PlanactClient) -> None:
    (model,) = (await client.do("listModels", search="anthropic/ sonnet-4-5-2025", all=True)).models
    assert model.context_tokens >= 200_000
    assert (model.input_cost, model.output_cost) == (3.0, 15.0)
    assert (model.calls_tools, model.takes_images, model.reasons) == (True, True, True)
