"""`planact.resumeExecution`: what stopped goes on, by its id, its plan, or as the newest."""

from typing import Any

import pytest

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from planact.model.runs.execution import Execution
from tests.lsp.commands.greetings import PATH, PLAN_ID, READ, SECOND, UPDATE, set_up
from tests.lsp.commands.planact_client import PlanactClient, say, scene
from tests.lsp.editor_client import failure

pytestmark = pytest.mark.asyncio(loop_scope="session")


FAILS_ONCE = {**READ, "fail": {"code": "MODEL_KEY_REFUSED", "times": 1}}
BROKEN = scene("Carry out step 1 ", FAILS_ONCE, UPDATE, say("Said hello."), mode="act")


async def paused(client: PlanactClient, step: int | None = None) -> tuple[str, Execution]:
    """A plan whose run paused at its first step, and which would now go well."""
    uri = set_up(client, BROKEN, SECOND)
    await client.approve(uri)
    command, more = ("executePlan", {}) if step is None else ("executeStep", {"step": step})
    assert (await client.refusal(command, uri=uri, **more))[0] == "MODEL_KEY_REFUSED"
    [run] = (await client.do("listExecutions")).executions
    assert run.status == "paused"
    return uri, run


@pytest.mark.parametrize("by", ["execution_id", "uri", "plan_id", "newest"])
async def test_a_paused_run_goes_on(client: PlanactClient, by: str) -> None:
    uri, run = await paused(client)
    named: dict[str, Any] = {"execution_id": run.id, "uri": uri, "plan_id": PLAN_ID}
    went_on = await client.do("resumeExecution", **({by: named[by]} if by in named else {}))
    assert (went_on.id, went_on.status, went_on.session_id) == (run.id, "success", run.session_id)
    assert (await client.do("listExecutions")).executions == (went_on,)
    assert client.marks(PATH) == [StepStatus.DONE, StepStatus.DONE]
    assert client.heard(messages.QUESTION_PENDING) == []


async def test_one_step_that_paused_goes_on_alone(client: PlanactClient) -> None:
    await paused(client, step=1)
    went_on = await client.do("resumeExecution")
    assert (went_on.status, went_on.only_steps) == ("success", (1,))
    assert client.marks(PATH) == [StepStatus.DONE, StepStatus.PENDING]


async def test_a_plan_that_changed_since_is_asked_about(client: PlanactClient) -> None:
    uri, _ = await paused(client)
    client.write(PATH, client.text(PATH).replace("it is polite", "👻 it is not"))
    resuming = client.begin("resumeExecution", uri=uri)
    await client.answer(await client.question(), execute=False)
    assert (await failure(resuming))[0] == "NOT_CONFIRMED"


async def test_what_can_not_go_on_is_told(client: PlanactClient) -> None:
    uri = set_up(client)
    assert (await client.refusal("resumeExecution"))[0] == "EXECUTION_NOT_FOUND"
    assert (await client.refusal("resumeExecution", execution_id="none"))[0] == "EXECUTION_NOT_FOUND"
    code, message = await client.refusal("resumeExecution", uri=uri, execution_id="x")
    assert (code, "name one of" in message) == ("INVALID_ARGUMENTS", True)
    run = await client.execute(uri=uri)
    assert await client.refusal("resumeExecution", execution_id=run.id) == ("MODE_CONFLICT", f"{run.id} is done")
