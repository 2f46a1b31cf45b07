"""`planact.diffPlan`: what changed in a plan, and which texts it had."""

import pytest

from tests.lsp.commands.greetings import PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_revision_is_compared_with_what_it_replaced(client: PlanactClient) -> None:
    uri = set_up(client)
    await client.do("revisePlan", uri=uri, feedback="be warm")
    found = await client.do("diffPlan", uri=uri)
    assert (found.path, found.uri, found.before, found.after) == (PATH, uri, PLAN, client.text(PATH))
    assert "-# Greet the 🌍 politely\n+# Greet the 🌍 warmly\n" in found.diff
    assert [(each.number, each.author) for each in found.revisions] == [(1, "user"), (2, "planner")]
    assert (await client.do("diffPlan", uri=uri, number=1, other=1)).diff == ""


async def test_a_plan_without_a_history_has_no_difference(client: PlanactClient) -> None:
    found = await client.do("diffPlan", uri=set_up(client))
    assert (found.diff, found.revisions) == ("", ())


async def test_a_revision_that_is_not_there_is_told(client: PlanactClient) -> None:
    code, _ = await client.refusal("diffPlan", uri=set_up(client), number=7)
    assert code == "REVISION_NOT_FOUND"
