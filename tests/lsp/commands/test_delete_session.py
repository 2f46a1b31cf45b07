"""`planact.deleteSession`: what was said goes after the user confirmed it; what was made stays."""

import pytest

from planact.lsp.commands.sessions import SessionDeleted
from tests.lsp.commands.greetings import PLANNING, set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, planact_client
from tests.lsp.editor_client import failure

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_confirmed_session_goes_with_what_was_said_and_its_plans_stay(client: PlanactClient) -> None:
    set_up(client, PLANNING)
    made = await client.do("generatePlan", request="greet")
    deleting = client.begin("deleteSession", session_id=made.session_id)
    question = await client.question()
    assert question.questions[0].question == "Delete the session “greet”?"
    await client.answer(question, delete=True)
    assert await deleting == SessionDeleted(session_id=made.session_id)
    assert (await client.do("listSessions")).sessions == ()
    assert not list((client.root / ".planact/sessions").glob("*.chat"))
    assert (client.root / made.path).exists()
    assert (await client.refusal("openSession", session_id=made.session_id))[0] == "SESSION_NOT_FOUND"
    # Nothing is in hand, so the next command begins anew.
    assert (await client.do("showStatus")).session is None
    assert (await client.do("setMode", mode="plan")).id != made.session_id


@IN_ONE_ENCODING
@pytest.mark.parametrize("way", ["no", "decline", "cancel"])
async def test_whatever_is_not_a_yes_keeps_it(client: PlanactClient, way: str) -> None:
    session = await client.do("newSession")
    deleting = client.begin("deleteSession", session_id=session.id)
    question = await client.question()
    if way == "no":
        await client.answer(question, delete=False)
    else:
        await client.do(f"{way}Question", question_id=question.question_id)
    assert "was not deleted: you didn't confirm it" in (await failure(deleting))[1]
    assert [each.id for each in (await client.do("listSessions")).sessions] == [session.id]


@IN_ONE_ENCODING
async def test_a_session_that_another_server_deleted_is_in_hand_no_more(client: PlanactClient) -> None:
    session = await client.do("newSession")
    async with planact_client(client.root) as other:
        deleting = other.begin("deleteSession", session_id=session.id)
        await other.answer(await other.question(), delete=True)
        await deleting
    assert (await client.do("showStatus")).session is None
