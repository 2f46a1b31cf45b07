"""`planact.exportPlan`: a plan for elsewhere."""

import json

import pytest

from planact.lsp.commands.plans import PlanExported
from tests.lsp.commands.greetings import PATH, PLAN, PLAN_ID, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_plan_goes_elsewhere_as_markdown_or_as_json(client: PlanactClient) -> None:
    uri = set_up(client)
    text = PLAN.split("---\n", 2)[2]
    assert await client.do("exportPlan", uri=uri) == PlanExported(path=PATH, text=text)
    data = json.loads((await client.do("exportPlan", plan_id=PLAN_ID, format="json")).text)
    assert (data["id"], len(data["steps"])) == (PLAN_ID, 2)


async def test_what_is_no_plan_yet_is_not_exported(client: PlanactClient) -> None:
    assert (await client.refusal("exportPlan", uri=set_up(client, plan="Greet them.\n")))[0] == "PLAN_INVALID"
