"""`planact.listExecutions`: the runs in a folder, the newest first."""

import pytest

from tests.lsp.commands.greetings import PLAN_ID, set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, planact_client

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_runs_are_listed_the_newest_first(client: PlanactClient) -> None:
    uri = set_up(client)
    assert (await client.do("listExecutions")).executions == ()
    first = await client.do(
        "executeStep", uri=uri, step=1, approve_hash=(await client.do("showPlan", uri=uri)).plan_hash
    )
    second = await client.do("executeStep", uri=uri, step=2)
    assert (await client.do("listExecutions", plan_id=PLAN_ID)).executions == (second, first)
    assert (await client.do("listExecutions", folder=client.root.as_uri())).executions == (second, first)
    assert (await client.do("listExecutions", plan_id="plan_other")).executions == ()


@IN_ONE_ENCODING
async def test_they_outlive_the_server(client: PlanactClient) -> None:
    run = await client.execute(uri=set_up(client))
    async with planact_client(client.root) as other:
        assert (await other.do("listExecutions")).executions == (run,)
