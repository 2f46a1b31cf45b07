"""`planact.stop`, `$/cancelRequest` and the cancel button of progress: work pauses, and nothing is lost."""

import asyncio
from typing import Any

import psutil
import pytest
from lsprotocol import types

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from tests.lsp.commands.greetings import ASK_PLAN, ASKING, FIRST, PATH, SECOND, SLOW, set_up
from tests.lsp.commands.planact_client import (
    IN_ONE_ENCODING,
    PlanactClient,
    call,
    calls,
    error_number,
    planact_client,
    say,
    scene,
)
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_nothing_is_stopped_where_nothing_runs(client: PlanactClient) -> None:
    session = await client.do("newSession")
    stopped = await client.do("stop")
    assert (stopped.session_id, stopped.stopped) == (session.id, False)


async def test_a_run_pauses_at_a_step_that_can_be_taken_up_again(client: PlanactClient) -> None:
    running = await run_slowly(client)
    stopped = await client.do("stop")
    assert stopped.stopped is True
    run = await running
    assert (run.status, run.reason, run.session_id, run.steps) == (
        "paused",
        "stopped by the user",
        stopped.session_id,
        (),
    )
    await goes_on(client)


async def test_a_session_is_stopped_by_its_id_whichever_is_in_hand(client: PlanactClient) -> None:
    running = await run_slowly(client)
    working = (await client.do("showStatus")).session.id
    other = await client.do("newSession")
    assert (await client.do("stop", session_id=other.id)).stopped is False
    stopped = await client.do("stop", session_id=working)
    assert (stopped.session_id, stopped.stopped) == (working, True)
    assert (await running).status == "paused"


async def test_the_cancel_button_of_progress_stops_the_run(client: PlanactClient) -> None:
    running = await run_slowly(client)
    [token] = client.progress_reports
    client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    assert (await running).status == "paused"
    assert client.progress_reports[token][-1].kind == "end"
    await goes_on(client)


async def test_cancelling_the_request_stops_the_run(client: PlanactClient) -> None:
    uri = set_up(client, SLOW)
    payload = {"uri": uri, "approve_hash": (await client.do("showPlan", uri=uri)).plan_hash}
    params = types.ExecuteCommandParams("planact.executePlan", [payload])
    future = client.protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="run-1")
    await client.until_heard(messages.MESSAGE_DELTA)
    client.cancel_request(types.CancelParams("run-1"))
    assert await error_number(asyncio.wrap_future(future)) == types.LSPErrorCodes.RequestCancelled
    [run] = (await client.do("listExecutions")).executions
    assert run.status == "paused"
    await goes_on(client)


@pytest.mark.parametrize(
    ("command", "payload"),
    [
        ("sendMessage", {"text": "greet"}),
        ("generatePlan", {"request": "greet"}),
        ("revisePlan", {"feedback": "greet"}),
        ("planAndAct", {"request": "greet"}),
    ],
)
async def test_whatever_a_session_does_can_be_stopped(
    client: PlanactClient, command: str, payload: dict[str, Any]
) -> None:
    uri = set_up(client, scene("", say("a word " * 400, delay=0.05)))
    working = client.begin(command, **payload, **({"uri": uri} if command == "revisePlan" else {}))
    await client.until_heard(messages.MESSAGE_DELTA)
    assert (await client.do("stop")).stopped is True
    ended = await working
    assert getattr(ended, "status", "stopped") == "stopped"
    assert (await client.do("showStatus")).is_running is False
    assert [message.message for message in client.messages if message.type is types.MessageType.Error] == []


async def test_a_question_that_waits_is_cancelled(client: PlanactClient) -> None:
    running = await run_asking(client)
    question = await client.question()
    await client.do("stop")
    assert (await running).status == "paused"
    assert [each.status for each in client.heard(messages.QUESTION_RESOLVED)] == ["cancelled"]
    assert (await client.do("listQuestions")).questions == ()
    code, message = await client.refusal("answerQuestion", question_id=question.question_id, answers={"tone": "warm"})
    assert (code, message) == ("QUESTION_NOT_OPEN", f"the question {question.question_id} is cancelled already")


async def test_a_command_ends_with_all_it_started(client: PlanactClient) -> None:
    seconds = f"60.{client.root.stat().st_ino}"
    line = f"sleep {seconds} & sleep {seconds}"
    set_up(client, scene("", calls(call("execute_command", command=line)), say("done"), mode="act"))
    await client.do("newSession", mode="act")
    working = client.begin("sendMessage", text="sleep")
    await until(lambda: len(sleeping(seconds)) == 2)
    await client.do("stop")
    assert (await working).status == "stopped"
    assert sleeping(seconds) == []


def sleeping(seconds: str) -> list[psutil.Process]:
    return [each for each in psutil.process_iter(["cmdline"]) if each.info["cmdline"] == ["sleep", seconds]]


@IN_ONE_ENCODING
async def test_shutdown_during_a_run_leaves_a_plan_to_go_on_with(client: PlanactClient) -> None:
    async with planact_client(client.root) as other:
        running = await run_slowly(other)
    with pytest.raises(Exception):  # noqa: B017, PT011 - the request is cancelled or the server is gone
        await running
    assert client.marks(PATH) == [StepStatus.PENDING, StepStatus.PENDING]
    [run] = (await client.do("listExecutions")).executions
    assert (run.status, run.reason) == ("paused", "the editor was closed or reloaded")
    await goes_on(client)


async def test_an_unknown_session_is_told(client: PlanactClient) -> None:
    assert await client.refusal("stop", session_id="none") == ("SESSION_NOT_FOUND", "there is no session none")


async def run_slowly(client: PlanactClient) -> "asyncio.Task[Any]":
    """Begin to execute a plan whose first step takes its time."""
    running = client.begin("executePlan", uri=set_up(client, SLOW), approve_hash=await seen(client))
    await client.until_heard(messages.MESSAGE_DELTA)
    return running


async def run_asking(client: PlanactClient) -> "asyncio.Task[Any]":
    uri = set_up(client, ASKING, plan=ASK_PLAN)
    return client.begin("executePlan", uri=uri, approve_hash=await seen(client))


async def seen(client: PlanactClient) -> str:
    return str((await client.do("showPlan", uri=client.uri(PATH))).plan_hash)


async def goes_on(client: PlanactClient) -> None:
    """The server lives, and the plan is carried out from its first open step, without another yes."""
    assert client.marks(PATH) == [StepStatus.PENDING, StepStatus.PENDING]
    assert "status: paused" in client.text(PATH)
    client.script(FIRST, SECOND, name="again.yaml")
    client.configure(model="scripted:again.yaml")
    run = await client.do("executePlan", uri=client.uri(PATH))
    assert (run.status, len(run.steps)) == ("success", 2)
    assert client.marks(PATH) == [StepStatus.DONE, StepStatus.DONE]
