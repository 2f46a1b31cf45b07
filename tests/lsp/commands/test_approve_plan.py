"""`planact.approvePlan`: the user's yes to exactly this text; it starts nothing."""

import pytest

from planact.model.rights.permission import Mode
from planact.plan.approval import approval_hash
from tests.lsp.commands.greetings import GREETING, PATH, PLAN, PLAN_ID, set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, planact_client

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_plan_is_approved_and_nothing_starts(client: PlanactClient) -> None:
    uri = set_up(client)
    approved = await client.do("approvePlan", uri=uri, approve_hash=approval_hash(PLAN))
    assert (approved.path, approved.uri, approved.plan_id, approved.plan_hash) == (
        PATH,
        uri,
        PLAN_ID,
        approval_hash(PLAN),
    )
    assert client.text(PATH) == PLAN.replace("status: draft", "status: approved")
    assert client.text("greeting.txt") == GREETING
    status = await client.do("showStatus")
    assert (status.mode, status.is_running) == (Mode.PLAN, False)


async def test_an_approved_plan_is_executed_without_another_question(client: PlanactClient) -> None:
    uri = set_up(client)
    await client.approve(uri)
    assert (await client.do("executePlan", uri=uri)).status == "success"


async def test_an_open_plan_is_marked_in_its_window_and_stays_saved(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.approve(uri)
    assert client.texts[uri] == PLAN.replace("status: draft", "status: approved")
    assert client.saves == [[uri]]


async def test_what_was_not_seen_is_not_approved(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH, PLAN + "\n## Risks\n- 👋\n")
    answer = await client.refusal("approvePlan", uri=uri, approve_hash=approval_hash(PLAN))
    assert answer == ("PLAN_CHANGED_SINCE_APPROVAL", f"{PATH} has changed since you saw it")
    assert (await client.do("showPlan", uri=uri)).is_approved is False


async def test_a_plan_of_others_is_not_approved_without_the_hash_of_its_text(client: PlanactClient) -> None:
    uri = set_up(client)
    code, told = await client.refusal("approvePlan", uri=uri)
    assert (code, told) == ("PLAN_FOREIGN", f"{PATH} was neither made nor approved nor saved by you here")
    shown = await client.do("showPlan", uri=uri)
    assert (shown.origin, shown.is_approved) == ("foreign", False)
    await client.approve(uri)
    assert (await client.do("showPlan", uri=uri)).origin == "own"


@IN_ONE_ENCODING
async def test_an_approval_outlives_the_server(client: PlanactClient) -> None:
    uri = set_up(client)
    await client.approve(uri)
    async with planact_client(client.root) as other:
        assert (await other.do("showPlan", uri=uri)).is_approved is True


async def test_a_request_can_not_be_approved(client: PlanactClient) -> None:
    code, _ = await client.refusal("approvePlan", uri=set_up(client, plan="greet the 🌍\n"))
    assert code == "PLAN_INVALID"
