"""`planact.deletePlan`: a plan goes, with its JSON form and approval, after the user confirmed it."""

import pytest

from planact.lsp.commands.plans import PlanDeleted
from tests.lsp.commands.greetings import PATH, PLAN, PLAN_ID, PLANNING, set_up
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import failure

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_confirmed_plan_is_deleted_with_all_that_hangs_on_it(client: PlanactClient) -> None:
    set_up(client, PLANNING)
    made = await client.do("generatePlan", request="greet")
    await client.approve(made.uri)
    deleting = client.begin("deletePlan", plan_id=made.plan_id)
    question = await client.question()
    assert question.questions[0].question == "Delete the plan “Greet the 🌍 politely”?"
    await client.answer(question, delete=True)
    assert await deleting == PlanDeleted(plan_id=made.plan_id, path=made.path)
    assert [path.name for path in (client.root / ".planact/plans").iterdir()] == ["index.json"]
    assert [plan.path for plan in (await client.do("listPlans")).plans] == [PATH]
    # The same text at the same place is a draft again.
    assert (await client.refusal("showPlan", plan_id=made.plan_id))[0] == "PLAN_NOT_FOUND"


@pytest.mark.parametrize("way", ["no", "decline", "cancel"])
async def test_whatever_is_not_a_yes_keeps_it(client: PlanactClient, way: str) -> None:
    set_up(client)
    deleting = client.begin("deletePlan", plan_id=PLAN_ID)
    question = await client.question()
    if way == "no":
        await client.answer(question, delete=False)
    else:
        await client.do(f"{way}Question", question_id=question.question_id)
    assert "was not deleted: you didn't confirm it" in (await failure(deleting))[1]
    assert client.text(PATH) == PLAN


async def test_a_plan_with_unsaved_text_stays(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH, PLAN + "unsaved 🌍\n")
    deleting = client.begin("deletePlan", uri=uri)
    await client.answer(await client.question(), delete=True)
    assert f"{PATH} has unsaved text in the editor" in (await failure(deleting))[1]
    assert (client.root / PATH).read_text() == PLAN
