"""Limits of requests, tokens and cost: a run stops where it is, says why, and goes on when the user lets it."""

import asyncio
from pathlib import Path

import pytest

from planact.model.chat.message import Reply, Usage
from planact.model.plan import PlanStatus, StepStatus
from planact.model.runs.execution import Execution
from planact.model.settings import LimitSettings, Settings
from planact.workflows.runs.execute import Confirmation, execute_plan
from tests.workflows.scene import PATH, SAID, WRITE_A, WRITE_B, Scene

USED = Usage(input_tokens=90, output_tokens=10, cost=0.5, requests=1)


def spent(reply: Reply) -> Reply:
    return Reply(reply.text, reply.tool_calls, usage=USED)


def run(it: Scene, limits: LimitSettings) -> Execution:
    it.ws.settings = it.ws.settings.model_copy(update={"limits": limits})
    return asyncio.run(asyncio.wait_for(execute_plan(it.ws, it.session_id, PATH, Confirmation.BY_FLAG), 180))


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (
            LimitSettings(max_turns=1),
            "the limit of 1 request is reached (setting limits.maxTurns). Go on for as many again, or raise it."
            " [LIMIT_TURNS]",
        ),
        (
            LimitSettings(max_tokens=300),
            "the session has used its 300 tokens (setting limits.maxTokens). Raise the limit and go on, or begin a new"
            " session. [LIMIT_TOKENS]",
        ),
        (
            LimitSettings(max_cost=1.5),
            "the session has cost its 1.50 dollars (setting limits.maxCost). Raise the limit and go on, or begin a new"
            " session. [LIMIT_COST]",
        ),
    ],
    ids=["requests", "tokens", "cost"],
)
def test_a_run_at_its_limit_pauses_says_what_to_do_and_goes_on_when_there_is_more(
    tmp_path: Path, limits: LimitSettings, reason: str
) -> None:
    turns = [spent(reply) for reply in (WRITE_A, SAID, WRITE_B, SAID)]
    it = Scene(tmp_path, *turns, settings=Settings(model="played"))
    it.write_plan()
    paused = run(it, limits)
    assert (paused.status, paused.reason) == ("paused", reason)
    document = it.document()
    assert document.plan is not None
    assert document.plan.status is PlanStatus.PAUSED
    assert StepStatus.RUNNING not in [step.status for step in document.plan.steps]
    assert it.asked == []
    it.world.model.turns = [spent(WRITE_A), SAID, spent(WRITE_B), SAID][-2 * len(left(it)) :]
    assert run(it, LimitSettings()).status == "success"
    assert {"a.txt", "b.txt"} <= it.world.tree().keys()


def left(it: Scene) -> list[int]:
    plan = it.document().complete()
    return [step.step_number for step in plan.steps if step.status is not StepStatus.DONE]


@pytest.mark.parametrize("limits", [LimitSettings(max_tokens=300), LimitSettings(max_cost=1.5)])
def test_what_the_session_has_used_up_begins_no_other_request(tmp_path: Path, limits: LimitSettings) -> None:
    it = Scene(tmp_path, *map(spent, (WRITE_A, SAID, WRITE_B, SAID)), settings=Settings(model="played"))
    it.write_plan()
    run(it, limits)
    sent = len(it.world.model.requests)
    assert run(it, limits).status == "paused"
    assert len(it.world.model.requests) == sent
