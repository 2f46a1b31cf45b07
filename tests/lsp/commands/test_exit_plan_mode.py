"""A plan that the agent offers for execution: only the user's yes to the text that was shown starts it."""

from typing import Any

import pytest

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from planact.model.rights.permission import Mode
from tests.lsp.commands.greetings import FIRST, GREETING, HELLO, PATH, SECOND, SUBMITTED, set_up
from tests.lsp.commands.planact_client import PlanactClient, call, calls, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")

OFFERING = scene(
    "greet",
    calls(call("write_plan", **SUBMITTED)),
    calls(
        call("exit_plan_mode", plan_file_path="${path}"),
        find=[{"name": "path", "in": "write_plan", "pattern": "The plan is in (.*\\.plan)\\."}],
    ),
    say("I go on planning.", expect=[{"in": "tool", "pattern": "keep planning|status|changed"}]),
    mode="plan",
)


async def offered(client: PlanactClient) -> tuple[Any, Any]:
    set_up(client, OFFERING, FIRST, SECOND, plan="greet the 🌍\n")
    making = client.begin("generatePlan", uri=client.uri(PATH))
    question = await client.question()
    assert question.purpose == "exit_plan_mode"
    assert question.plan_hash == (await client.do("showPlan", uri=client.uri(PATH))).plan_hash
    assert "change `greeting.txt`" in question.questions[0].context
    assert [option.label for option in question.questions[0].options] == [
        "Accept & Build",
        "Keep Planning",
        "Stop and let me review",
    ]
    return making, question


async def test_accepted_it_is_carried_out(client: PlanactClient) -> None:
    making, question = await offered(client)
    assert (await client.do("showStatus")).mode is Mode.PLAN
    await client.answer(question, approve="accept")
    assert (await making).path == PATH
    assert client.text("greeting.txt") == HELLO
    assert client.marks(PATH) == [StepStatus.DONE, StepStatus.DONE]
    changed = client.heard(messages.MODE_CHANGED)[-1]
    assert (changed.mode, changed.plan_file) == (Mode.ACT, PATH)
    [run] = (await client.do("listExecutions")).executions
    assert run.status == "success"


@pytest.mark.parametrize("way", ["keep_planning", "review", "declineQuestion", "cancelQuestion"])
async def test_whatever_is_not_a_yes_stays_in_plan(client: PlanactClient, way: str) -> None:
    making, question = await offered(client)
    if way.endswith("Question"):
        await client.do(way, question_id=question.question_id)
    else:
        await client.answer(question, approve=way)
    made = await making
    assert made.path == PATH
    last = client.heard(messages.MESSAGE)[-1].content
    assert (last == "I go on planning.") is (way != "review")
    await stays_a_draft(client)


async def test_an_empty_or_malformed_answer_is_no_yes(client: PlanactClient) -> None:
    making, question = await offered(client)
    for answers in ({}, {"approve": ""}, {"approve": "yes"}, {"approve": True}, {"execute": "accept"}):
        refused = await client.refusal("answerQuestion", question_id=question.question_id, answers=answers)
        assert refused[0] == "ANSWER_INVALID"
    assert not making.done()
    await client.answer(question, approve="review")
    await making
    await stays_a_draft(client)


async def test_a_yes_to_a_text_that_has_changed_is_none(client: PlanactClient) -> None:
    making, question = await offered(client)
    client.show(PATH)
    client.type(client.uri(PATH), client.text(PATH).replace("hello", "boo 👻"))
    await client.answer(question, approve="accept")
    await making
    assert client.heard(messages.MESSAGE)[-1].content == "I go on planning."
    await stays_a_draft(client)


async def stays_a_draft(client: PlanactClient) -> None:
    assert client.text("greeting.txt") == GREETING
    assert (await client.do("showStatus")).mode is Mode.PLAN
    assert (await client.do("showPlan", uri=client.uri(PATH))).is_approved is False
    assert (await client.do("listExecutions")).executions == ()
