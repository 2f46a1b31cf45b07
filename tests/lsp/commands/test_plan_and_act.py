"""`planact.planAndAct`: a plan is made, shown, and carried out if it is safe or the user agrees."""

import pytest

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from tests.lsp.commands.greetings import FAREWELL, FIRST, GREETING, HELLO, SECOND, SUBMITTED, set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, call, calls, say, scene
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

SAFE = {"goal": "Write 👋", "steps": [SUBMITTED["steps"][1]]}
CHECK = "perl -e 'exit !-s q(greeting.txt)'"
UNSAFE = {**SUBMITTED, "steps": [{**SUBMITTED["steps"][0], "validation_checks": [CHECK]}, SUBMITTED["steps"][1]]}
PLANNING_UNSAFELY = scene("greet", calls(call("write_plan", **UNSAFE)), say("Ready."), mode="plan")
PLANNING_SAFELY = scene("greet", calls(call("write_plan", **SAFE)), say("Ready."), mode="plan")
WRITING = scene("Carry out step 1 ", *SECOND["turns"], mode="act")


async def test_a_plan_with_commands_waits_for_the_users_yes(client: PlanactClient) -> None:
    set_up(client, PLANNING_UNSAFELY, FIRST, SECOND)
    acting = client.begin("planAndAct", request="greet them 👋")
    question = await client.question()
    assert question.questions[0].question == "Execute the plan “Greet the 🌍 politely” (2 steps)?"
    [said] = [m.content for m in client.heard(messages.MESSAGE) if m.content.startswith("The plan needs your yes")]
    assert CHECK in said
    assert client.text("greeting.txt") == GREETING
    await client.answer(question, execute=True)
    ended = await acting
    assert ended.execution.status == "success"
    assert (client.text("greeting.txt"), client.text("farewell.txt")) == (HELLO, FAREWELL)
    assert client.marks(ended.path) == [StepStatus.DONE, StepStatus.DONE]


async def test_without_it_the_plan_stays_a_plan(client: PlanactClient) -> None:
    set_up(client, PLANNING_UNSAFELY, FIRST, SECOND)
    acting = client.begin("planAndAct", request="greet them 👋")
    await client.answer(await client.question(), execute=False)
    ended = await acting
    assert ended.execution is None
    assert (await client.do("showPlan", uri=ended.uri)).plan.id == ended.plan_id
    assert client.text("greeting.txt") == GREETING


@IN_ONE_ENCODING
async def test_a_safe_plan_starts_by_itself(client: PlanactClient) -> None:
    set_up(client, PLANNING_SAFELY, WRITING)
    ended = await client.do("planAndAct", request="greet them 👋")
    assert ended.execution.status == "success"
    assert client.text("farewell.txt") == FAREWELL


async def test_a_safe_plan_can_be_stopped_before_it_starts(client: PlanactClient) -> None:
    set_up(client, PLANNING_SAFELY, WRITING)
    acting = client.begin("planAndAct", request="greet them 👋")
    await until(lambda: any("starts in 5 s" in message.content for message in client.heard(messages.MESSAGE)))
    assert (await client.do("stop")).stopped is True
    ended = await acting
    assert (ended.execution, ended.plan_id != "") == (None, True)
    assert (await client.do("showPlan", plan_id=ended.plan_id)).is_approved is False
    assert not (client.root / "farewell.txt").exists()


async def test_when_no_plan_comes_of_it_that_is_an_error_with_what_was_said(client: PlanactClient) -> None:
    set_up(client, scene("", say("Which 🌍?")))
    assert await client.refusal("planAndAct", request="greet") == ("PLAN_NOT_FOUND", "the request led to no plan")
