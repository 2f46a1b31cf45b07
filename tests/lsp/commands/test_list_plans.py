"""`planact.listPlans`: the complete plans of a folder, the newest first."""

import pytest

from planact.lsp.commands.plans import PlanListed
from tests.lsp.commands.greetings import PATH, PLAN, PLAN_ID, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_plans_are_listed_with_their_state_and_requests_are_not(client: PlanactClient) -> None:
    uri = set_up(client, plan=PLAN.replace("[ ] 1", "[x] 1"))
    client.write("request.plan", "greet the 🌍\n")
    newer = PLAN.replace("status: draft", "created: 2026-11-21T10:00:00Z").replace(PLAN_ID, "plan_20261121_aaaa")
    client.write("other/newer 🌍.plan", newer)
    client.write(".git/hidden.plan", PLAN)
    plans = (await client.do("listPlans")).plans
    assert [plan.path for plan in plans] == ["other/newer 🌍.plan", PATH]
    assert plans[1] == PlanListed(
        id=PLAN_ID, goal="Greet the 🌍 politely", path=PATH, status="draft", steps_total=2, steps_done=1, uri=uri
    )
    assert plans[0].uri == client.uri("other/newer 🌍.plan")


async def test_an_empty_folder_has_none(client: PlanactClient) -> None:
    assert (await client.do("listPlans", folder=client.root.as_uri())).plans == ()
