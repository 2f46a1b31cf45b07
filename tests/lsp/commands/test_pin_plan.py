"""`planact.pinPlan`: a plan that stays whatever its age."""

import pytest

from planact.lsp.commands.plans import PlanPinned
from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import PATH, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_plan_is_pinned_and_listed_so_until_it_is_not(client: PlanactClient) -> None:
    uri = set_up(client)
    assert await client.do("pinPlan", uri=uri) == PlanPinned(path=PATH, is_pinned=True)
    assert [plan.is_pinned for plan in (await client.do("listPlans")).plans] == [True]
    await client.do("pinPlan", uri=uri, is_pinned=False)
    assert [plan.is_pinned for plan in (await client.do("listPlans")).plans] == [False]


async def test_a_list_that_shows_pins_is_told_to_look_again(client: PlanactClient) -> None:
    uri = set_up(client)
    await client.do("pinPlan", uri=uri)
    assert [changed.path for changed in client.heard(messages.PLAN_CHANGED)] == [PATH]
