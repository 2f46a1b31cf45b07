"""`planact.executeStep`: one step of a plan, under the same approval as the whole."""

import pytest

from planact.model.plan import StepStatus
from planact.plan.approval import approval_hash
from tests.lsp.commands.greetings import FAREWELL, GREETING, PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_only_the_step_is_carried_out(client: PlanactClient) -> None:
    uri = set_up(client)
    run = await client.do("executeStep", uri=uri, step=2, approve_hash=approval_hash(PLAN))
    assert (run.status, [step.step_number for step in run.steps]) == ("success", [2])
    assert client.marks(PATH) == [StepStatus.PENDING, StepStatus.DONE]
    assert "status: paused" in client.text(PATH)
    assert (client.text("greeting.txt"), client.text("farewell.txt")) == (GREETING, FAREWELL)
    # The rest needs no second approval.
    run = await client.do("executePlan", uri=uri)
    assert (run.status, [step.step_number for step in run.steps]) == ("success", [1])
    assert client.marks(PATH) == [StepStatus.DONE, StepStatus.DONE]
    assert "status: done" in client.text(PATH)


async def test_selected_steps_are_carried_out_together(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    lines = PLAN.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("- [ ] 1."))
    action = (await client.actions(uri, first, last=len(lines)))[0]
    assert action.title == "Run 2 selected steps"
    run = await client.click(action.command)
    assert (run.status, run.only_steps, client.marks(PATH)) == ("success", (1, 2), [StepStatus.DONE, StepStatus.DONE])


async def test_without_a_yes_the_user_is_asked(client: PlanactClient) -> None:
    uri = set_up(client)
    running = client.begin("executeStep", uri=uri, step=2)
    await client.answer(await client.question(), execute=True)
    assert (await running).status == "success"


async def test_a_step_that_is_not_there_is_told(client: PlanactClient) -> None:
    answer = await client.refusal("executeStep", uri=set_up(client), step=3)
    assert answer == ("STEP_NOT_FOUND", "the plan has no step 3")
