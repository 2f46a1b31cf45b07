"""`planact.revisePlan`: the user's feedback and comments make the next revision of a plan."""

import pytest

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import PATH, PLAN, PLAN_ID, REVISING, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")

COMMENTED = PLAN + "  > Say it warmly 👋\n"


async def test_feedback_makes_the_next_revision(client: PlanactClient) -> None:
    uri = set_up(client)
    made = await client.do("revisePlan", uri=uri, feedback="be warm")
    assert (made.plan_id, made.path, made.uri) == (PLAN_ID, PATH, uri)
    plan = (await client.do("showPlan", uri=uri)).plan
    assert (plan.id, plan.goal) == (PLAN_ID, "Greet the 🌍 warmly")


async def test_comments_in_the_document_are_feedback(client: PlanactClient) -> None:
    uri = set_up(client, plan=COMMENTED)
    client.show(PATH)
    await client.do("revisePlan", uri=uri)
    [asked] = [message for message in client.heard(messages.MESSAGE) if message.role == "user"]
    assert "- On step 2: Say it warmly 👋\n" in asked.content
    assert "Greet the 🌍 warmly" in client.texts[uri]
    assert ">" not in client.texts[uri]


async def test_without_any_the_server_asks(client: PlanactClient) -> None:
    uri = set_up(client)
    revising = client.begin("revisePlan", uri=uri)
    question = await client.question()
    assert (question.purpose, question.questions[0].question) == ("confirm", "What should change in the plan?")
    await client.answer(question, feedback="be warm")
    await revising
    assert "Greet the 🌍 warmly" in client.text(PATH)


async def test_a_user_who_says_nothing_changes_nothing(client: PlanactClient) -> None:
    uri = set_up(client)
    revising = client.begin("revisePlan", uri=uri)
    await client.do("declineQuestion", question_id=(await client.question()).question_id)
    await revising
    assert client.text(PATH) == PLAN


async def test_a_revision_takes_the_approval_back(client: PlanactClient) -> None:
    uri = set_up(client)
    await client.approve(uri)
    await client.do("revisePlan", uri=uri, feedback="be warm")
    assert (await client.do("showPlan", uri=uri)).is_approved is False


async def test_a_request_can_not_be_revised(client: PlanactClient) -> None:
    code, _ = await client.refusal("revisePlan", uri=set_up(client, REVISING, plan="greet\n"), feedback="x")
    assert code == "PLAN_INVALID"
