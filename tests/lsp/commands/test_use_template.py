"""`planact.useTemplate`."""

import pytest

from tests.lsp.commands.greetings import set_up_template
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_values_make_a_plan(client: PlanactClient) -> None:
    set_up_template(client)
    made = await client.do("useTemplate", name="greet", values={"who": "Ada 👋"})
    shown = await client.do("showPlan", uri=made.uri)
    assert (shown.plan.goal, shown.is_approved, shown.plan.id) == ("Greet Ada 👋", False, made.plan_id)


async def test_what_is_missing_is_asked(client: PlanactClient) -> None:
    set_up_template(client)
    using = client.begin("useTemplate", name="greet")
    question = await client.question()
    assert question.questions[0].name == "who"
    await client.answer(question, who="Ada")
    made = await using
    assert (await client.do("showPlan", uri=made.uri)).plan.goal == "Greet Ada"
