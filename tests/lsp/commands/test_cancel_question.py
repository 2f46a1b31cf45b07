"""`planact.cancelQuestion`: the question ends without an answer, and the model is told."""

import asyncio

import pytest

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import ASK_PLAN, ASKING, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_run_goes_on_without_an_answer(client: PlanactClient) -> None:
    running = asyncio.ensure_future(client.execute(uri=set_up(client, ASKING, plan=ASK_PLAN)))
    question = await client.question()
    ended = await client.do("cancelQuestion", question_id=question.question_id)
    assert (ended.question_id, ended.status) == (question.question_id, "cancelled")
    assert (await running).status == "success"
    assert client.text("farewell.txt") == "The user took the question off the table.\n"
    assert client.heard(messages.QUESTION_RESOLVED) == [ended]
    assert (await client.do("listQuestions")).questions == ()
    again = await client.refusal("cancelQuestion", question_id=question.question_id)
    assert again == ("QUESTION_NOT_OPEN", f"the question {question.question_id} is cancelled already")


async def test_an_unknown_question_is_told(client: PlanactClient) -> None:
    answer = await client.refusal("cancelQuestion", question_id="none")
    assert answer == ("QUESTION_NOT_OPEN", "there is no question none")
