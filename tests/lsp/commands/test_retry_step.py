"""`planact.retryStep`: a failed step is tried again, by the run that asks about it or by one of its own."""

import asyncio

import pytest

from planact.model.plan import StepStatus
from tests.lsp.commands.greetings import FIRST, PATH, PLAN, SECOND, WRITE, set_up
from tests.lsp.commands.planact_client import PlanactClient, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")

LAZY_ONCE = scene("Carry out step 2 [^!]*txt\\.$", say("All done 👋."), mode="act")
MENDED = scene("It was tried before and failed: nothing was done", WRITE, say("Now it is."), mode="act")
DONE, FAILED = StepStatus.DONE, StepStatus.FAILED


async def test_a_failed_step_is_tried_again_and_the_agent_knows_what_failed(client: PlanactClient) -> None:
    uri = set_up(client, FIRST, MENDED, LAZY_ONCE)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.answer(await client.question(), failed="stop")
    assert (await running).status == "partial_success"
    client.show(PATH)
    run = await client.click(await client.lens(uri, "Retry"))
    assert (run.status, [step.step_number for step in run.steps], run.only_steps) == ("success", [2], (2,))
    assert client.marks(PATH) == [DONE, DONE]


async def test_a_run_that_asks_goes_on(client: PlanactClient) -> None:
    uri = set_up(client, FIRST, MENDED, LAZY_ONCE)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.question()
    shown = await client.do("retryStep", uri=uri, step=2)
    run = await running
    assert (shown.id, shown.status) == (run.id, "running")
    assert [(step.step_number, step.attempt, step.status.value) for step in run.steps] == [
        *((1, 1, "done"), (2, 1, "failed"), (2, 2, "done"))
    ]


@pytest.mark.parametrize(
    ("step", "expected"),
    [(1, ("MODE_CONFLICT", "step 1 has not failed")), (3, ("STEP_NOT_FOUND", "the plan has no step 3"))],
)
async def test_what_has_not_failed_is_not_tried_again(
    client: PlanactClient, step: int, expected: tuple[str, str]
) -> None:
    assert await client.refusal("retryStep", uri=set_up(client, FIRST, SECOND), step=step) == expected
    assert client.text(PATH) == PLAN
