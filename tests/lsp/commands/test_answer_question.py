"""`planact.answerQuestion`: the first valid answer ends a question and lets the run go on."""

import asyncio
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from planact.lsp.protocol import messages
from planact.model.question import AskedInStep, Question
from tests.lsp.commands.greetings import ASK_PLAN, ASKED, ASKING, PATH, set_up
from tests.lsp.commands.planact_client import (
    IN_ONE_ENCODING,
    PlanactClient,
    call,
    calls,
    full,
    planact_client,
    say,
    scene,
)
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_an_answer_lets_the_run_go_on_and_is_in_the_transcript(client: PlanactClient) -> None:
    running, question = await run_asking(client)
    assert question.questions == (Question.model_validate(ASKED),)
    assert question.step == AskedInStep(number=1, action="Ask, then write `farewell.txt`")
    resolved = await client.answer(question, tone="cool")
    assert (resolved.question_id, resolved.session_id, resolved.status) == (
        question.question_id,
        question.session_id,
        "answered",
    )
    assert (await running).status == "success"
    assert client.text("farewell.txt") == "cool\n"
    assert client.heard(messages.QUESTION_RESOLVED) == [resolved]
    [message] = [m for m in client.heard(messages.MESSAGE) if m.metadata.get("question_answer")]
    assert (message.role, message.content) == ("user", "tone: cool")
    assert message.metadata["question_answer"] == {"question_id": question.question_id, "answers": {"tone": "cool"}}


async def test_answers_that_do_not_fit_are_refused_and_the_question_stays_open(client: PlanactClient) -> None:
    running, question = await run_asking(client)
    for answers, why in [
        ({}, "the answer to 'tone' is missing"),
        ({"tone": "loud"}, "'loud' is not among the choices for 'tone': warm, cool"),
        ({"tone": None}, "'null' is not among the choices for 'tone': warm, cool"),
        ({"tone": True}, "'true' is not among the choices for 'tone': warm, cool"),
        ({"tone": "x" * 100_000}, "the answer is longer than 100000 characters"),
        ({"colour": "red"}, "there is no question named 'colour'; the names are tone"),
        ({"tone": "warm", "colour": "red"}, "there is no question named 'colour'; the names are tone"),
    ]:
        answer = await client.refusal("answerQuestion", question_id=question.question_id, answers=answers)
        assert answer == ("ANSWER_INVALID", why)
        assert [open.question_id for open in (await client.do("listQuestions")).questions] == [question.question_id]
    await client.answer(question, tone="warm")
    assert (await running).status == "success"


async def test_a_form_with_schemas_is_checked_field_by_field(client: PlanactClient) -> None:
    asked = [
        {"name": "count", "question": "How many 🌍?", "schema": {"type": "integer", "minimum": 1}},
        {"name": "why", "question": "Why?"},
    ]
    set_up(
        client,
        scene("", calls(call("ask_user", questions=asked)), say("Thanks.", expect=[{"in": "tool", "text": "👋"}])),
    )
    working = client.begin("sendMessage", text="ask")
    question = await client.question()
    assert question.step is None
    told = await client.refusal("answerQuestion", question_id=question.question_id, answers={"count": 0, "why": "x"})
    assert told == ("ANSWER_INVALID", "count: 0 is less than the minimum of 1")
    told = await client.refusal("answerQuestion", question_id=question.question_id, answers={"count": 1, "why": " "})
    assert told == ("ANSWER_INVALID", "the answer to 'why' must be a text")
    await client.answer(question, count=2, why="👋")
    assert (await working).text == "Thanks."


async def test_of_two_answers_the_first_wins(client: PlanactClient) -> None:
    running, question = await run_asking(client)
    both = [client.answer(question, tone="warm"), client.answer(question, tone="cool")]
    first, second = await asyncio.gather(*both, return_exceptions=True)
    assert first.status == "answered"
    assert getattr(second, "data", None)["code"] == "QUESTION_NOT_OPEN"
    await running
    assert client.text("farewell.txt") == "warm\n"


@IN_ONE_ENCODING
async def test_another_server_may_answer_and_both_hear_of_it(client: PlanactClient) -> None:
    running, question = await run_asking(client)
    async with planact_client(client.root) as other:
        assert [open.question_id for open in (await other.do("listQuestions")).questions] == [question.question_id]
        resolved = await other.answer(question, tone="cool")
        assert (await running).status == "success"
        assert client.heard(messages.QUESTION_RESOLVED) == other.heard(messages.QUESTION_RESOLVED) == [resolved]
        assert (await other.refusal("answerQuestion", question_id=question.question_id, answers={"tone": "warm"}))[
            0
        ] == ("QUESTION_NOT_OPEN")
    assert client.text("farewell.txt") == "cool\n"


async def test_without_answers_the_question_is_shown_again(client: PlanactClient) -> None:
    running, question = await run_asking(client)
    again = await client.do("answerQuestion", question_id=question.question_id)
    assert again.status == "open"
    assert await client.question(2) == question
    await client.answer(question, tone="warm")
    await running


async def test_a_question_given_as_json_in_plain_words_is_understood(client: PlanactClient) -> None:
    words = '{"type": "question", "name": "tone", "question": "Which 🎵?"}'
    set_up(client, scene("", say(words), say("Good.", expect=[{"in": "tool", "text": "soft"}])))
    working = client.begin("sendMessage", text="ask")
    question = await client.question()
    assert question.questions[0].question == "Which 🎵?"
    await client.answer(question, **{question.questions[0].name: "soft"})
    assert (await working).text == "Good."


async def test_an_unknown_question_is_told(client: PlanactClient) -> None:
    answer = await client.refusal("answerQuestion", question_id="none", answers={})
    assert answer == ("QUESTION_NOT_OPEN", "there is no question none")


@IN_ONE_ENCODING
@pytest.mark.parametrize("end", ["kill", "shutdown"])
async def test_a_question_outlives_its_server_with_its_id(client: PlanactClient, end: str) -> None:
    uri = set_up(client, ASKING, plan=ASK_PLAN)
    async with planact_client(client.root) as first:
        running = asyncio.ensure_future(first.execute(uri=uri))
        question = await first.question()
        if end == "kill":
            await first.kill()
    with pytest.raises((JsonRpcException, RuntimeError)):
        await running
    [listed] = (await client.do("listQuestions")).questions
    assert listed == question
    running = client.begin("executePlan", uri=uri)
    assert await client.question() == question
    await client.answer(question, tone="warm")
    assert (await running).status == "success"
    assert client.text("farewell.txt") == "warm\n"


@IN_ONE_ENCODING
async def test_a_question_answered_while_nobody_waited_is_not_asked_again(client: PlanactClient) -> None:
    uri = set_up(client, ASKING, plan=ASK_PLAN)
    async with planact_client(client.root, full(extras={"questions": True})) as first:
        running = asyncio.ensure_future(first.execute(uri=uri))
        question = await first.question()
        await first.kill()
    running.cancel()
    await client.answer(question, tone="cool")
    await until(lambda: any(shown[-1].kind == "end" for shown in client.progress_reports.values() if shown))
    assert "status: done" in client.text(PATH)
    assert client.text("farewell.txt") == "cool\n"
    assert client.heard(messages.QUESTION_PENDING) == []


async def run_asking(client: PlanactClient) -> tuple["asyncio.Task[Any]", Any]:
    """Execute a plan up to a question of the agent."""
    uri = set_up(client, ASKING, plan=ASK_PLAN)
    running = asyncio.ensure_future(client.execute(uri=uri))
    return running, await client.question()
