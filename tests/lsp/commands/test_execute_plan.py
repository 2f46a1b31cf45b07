"""`planact.executePlan`: only by the user's yes to exactly this text, then step by step."""

import asyncio

import pytest
from lsprotocol import types

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from planact.model.rights.permission import Mode
from planact.plan.approval import approval_hash
from tests.lsp.commands.greetings import (
    FAREWELL,
    FIRST,
    GREETING,
    HELLO,
    PATH,
    PLAN,
    PLAN_ID,
    READ,
    SECOND,
    SLOW,
    SUBMITTED,
    UPDATE,
    WRITE,
    set_up,
)
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
from tests.lsp.editor_client import failure

pytestmark = pytest.mark.asyncio(loop_scope="session")

PENDING, DONE, FAILED = StepStatus.PENDING, StepStatus.DONE, StepStatus.FAILED
TAKES_ITS_TIME = scene(
    "Carry out step 1 ", say("one two", delay=0.2, calls=READ["calls"]), UPDATE, say("Said hello."), mode="act"
)


async def test_a_plan_is_carried_out_step_by_step(client: PlanactClient) -> None:
    uri = set_up(client)
    run = await client.execute(uri=uri)
    assert (run.status, run.reason, run.plan_id, run.plan_file) == ("success", "", PLAN_ID, PATH)
    assert [(step.step_number, step.status, [file.path for file in step.files]) for step in run.steps] == [
        (1, DONE, ["greeting.txt"]),
        (2, DONE, ["farewell.txt"]),
    ]
    assert [(check.command, check.passed) for check in run.steps[0].checks] == [("grep -q hello greeting.txt", True)]
    assert (client.text("greeting.txt"), client.text("farewell.txt")) == (HELLO, FAREWELL)
    marked = PLAN.replace("[ ]", "[x]").replace("status: draft", "status: done")
    assert client.text(PATH) == marked
    status = await client.do("showStatus")
    assert (status.mode, status.session.plan_file, status.is_running) == (Mode.ACT, PATH, False)


async def test_the_run_is_told_as_it_goes(client: PlanactClient) -> None:
    await client.execute(uri=set_up(client))
    assert [progress.text for progress in client.heard(messages.EXECUTION_PROGRESS)] == [
        "Step 1 of 2: 😀 Say hello in `greeting.txt`",
        "Step 1: done",
        "Step 2 of 2: 👋 Write `farewell.txt`",
        "Step 2: done",
        "success",
    ]
    [reports] = client.progress_reports.values()
    assert (reports[0].title, reports[-1].kind) == ("Planact: executing", "end")
    assert reports[1].message.startswith("Step 1 of 2")
    assert client.heard(messages.MODE_CHANGED)[-1].mode is Mode.ACT
    assert client.refreshes > 0
    said = [m.content for m in client.heard(messages.MESSAGE) if m.role == "system"]
    assert said[-1].startswith("Greet the 🌍 politely: success\n1. 😀 Say hello")


# --- the user's yes


async def test_without_a_hash_the_user_is_asked(client: PlanactClient) -> None:
    uri = set_up(client)
    running = client.begin("executePlan", uri=uri)
    question = await client.question()
    assert (question.purpose, question.questions[0].question) == (
        "confirm",
        "You neither made nor saved this plan here. Execute the plan “Greet the 🌍 politely” (2 steps)?",
    )
    assert question.plan_hash == approval_hash(PLAN)
    assert "change `greeting.txt`; create `farewell.txt`\n- Run: `grep -q hello" in question.questions[0].context
    assert client.text("greeting.txt") == GREETING
    await client.answer(question, execute=True)
    assert (await running).status == "success"


async def test_a_user_who_asks_twice_is_asked_one_question(client: PlanactClient) -> None:
    uri = set_up(client)
    both = [client.begin("executePlan", uri=uri) for _ in range(2)]
    question = await client.question(2)
    assert [open.question_id for open in (await client.do("listQuestions")).questions] == [question.question_id]
    await client.answer(question, execute=True)
    # Which of them goes on is open: both hear of the answer, and both look whose plan it is.
    ended = await asyncio.gather(*both, return_exceptions=True)
    done, refused = sorted(ended, key=lambda each: isinstance(each, BaseException))
    assert done.status == "success"
    assert refused.data["code"] == "BUSY"
    assert len((await client.do("listSessions")).sessions) == 1


async def test_a_question_that_was_asked_for_a_cancelled_request_is_taken_up_by_the_next(client: PlanactClient) -> None:
    uri = set_up(client)
    params = types.ExecuteCommandParams("planact.executePlan", [{"uri": uri}])
    future = client.protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="run-1")
    question = await client.question()
    client.cancel_request(types.CancelParams("run-1"))
    assert await error_number(asyncio.wrap_future(future)) == types.LSPErrorCodes.RequestCancelled
    await client.answer(question, execute=True)
    assert client.text("greeting.txt") == GREETING
    assert (await client.do("executePlan", uri=uri)).status == "success"
    assert len(client.heard(messages.QUESTION_PENDING)) == 1


@pytest.mark.parametrize("way", ["no", "declineQuestion", "cancelQuestion"])
async def test_whatever_is_not_a_yes_executes_nothing(client: PlanactClient, way: str) -> None:
    uri = set_up(client)
    running = client.begin("executePlan", uri=uri)
    question = await client.question()
    if way == "no":
        await client.answer(question, execute=False)
    else:
        await client.do(way, question_id=question.question_id)
    assert "was not executed: you didn't confirm it" in (await failure(running))[1]
    await is_untouched(client, uri)


async def test_a_wrong_hash_is_no_yes(client: PlanactClient) -> None:
    uri = set_up(client)
    running = client.begin("executePlan", uri=uri, approve_hash=approval_hash(PLAN + "more"))
    await client.answer(await client.question(), execute=False)
    assert "was not executed" in (await failure(running))[1]
    await is_untouched(client, uri)


async def test_a_plan_that_changed_since_its_approval_is_asked_about_with_the_difference(client: PlanactClient) -> None:
    uri = set_up(client)
    await client.approve(uri)
    client.write(PATH, client.text(PATH).replace("it is polite", "it is 👋 kind"))
    running = client.begin("executePlan", uri=uri)
    question = (await client.question()).questions[0]
    assert question.question.startswith("The plan changed since you approved it. Execute the plan")
    assert "-  - reason: it is polite\n+  - reason: it is 👋 kind\n" in question.context
    await client.answer(await client.question(), execute=False)
    assert (await failure(running))[0] == "NOT_CONFIRMED"
    assert client.text("greeting.txt") == GREETING


async def test_a_plan_that_changes_while_the_user_is_asked_is_not_executed(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    running = client.begin("executePlan", uri=uri)
    question = await client.question()
    client.type(uri, PLAN.replace("hello", "boo 👻"))
    await client.answer(question, execute=True)
    assert (await failure(running))[0] == "PLAN_CHANGED_SINCE_APPROVAL"
    assert client.text("greeting.txt") == GREETING


async def test_a_plan_that_says_it_is_approved_is_a_draft(client: PlanactClient) -> None:
    uri = set_up(client, plan=PLAN.replace("status: draft", "status: approved"))
    running = client.begin("executePlan", uri=uri)
    await client.answer(await client.question(), execute=False)
    assert "was not executed" in (await failure(running))[1]
    assert client.text("greeting.txt") == GREETING


async def test_files_that_changed_since_planning_are_asked_about(client: PlanactClient) -> None:
    stale = PLAN.replace("status: draft", f"context:\n  - {{path: greeting.txt, sha256: {'0' * 64}}}")
    uri = set_up(client, plan=stale)
    for goes_on in (False, True):
        running = asyncio.ensure_future(client.execute(uri=uri))
        question = await client.question(2 if goes_on else 1)
        assert "changed since: greeting.txt" in question.questions[0].question
        await client.answer(question, stale="go_on" if goes_on else "cancel")
        if goes_on:
            assert (await running).status == "success"
        else:
            assert (await failure(running))[0] == "NOT_CONFIRMED"


@pytest.mark.parametrize(
    ("plan", "code", "why"),
    [
        ("greet 🌍\n", "PLAN_INVALID", "greet.plan is not a complete plan"),
        (PLAN.replace("[ ]", "[x]"), "STEP_NOT_FOUND", "all steps of the plan are done or skipped"),
    ],
)
async def test_what_can_not_be_executed_is_told(client: PlanactClient, plan: str, code: str, why: str) -> None:
    told = await client.refusal("executePlan", uri=set_up(client, plan=plan))
    assert told[0] == code
    assert why in told[1]


# --- what becomes of it


async def test_a_check_that_fails_is_asked_about_and_ends_the_run_if_the_user_says_so(client: PlanactClient) -> None:
    uri = set_up(client, plan=PLAN.replace("grep -q hello", "grep -q goodbye"))
    run = await client.execute_and_stop(uri=uri)
    assert (run.status, run.reason) == (
        "failed",
        "the check `grep -q goodbye greeting.txt` ended with 1 after 1 repair",
    )
    assert client.marks(PATH) == [FAILED, PENDING]
    assert "status: failed" in client.text(PATH)


async def test_a_step_of_which_nothing_was_done_is_not_done(client: PlanactClient) -> None:
    lazy = scene("Carry out step 2 ", say("All done 👋."), mode="act")
    run = await client.execute_and_stop(uri=set_up(client, FIRST, lazy))
    assert (run.status, client.marks(PATH)) == ("partial_success", [DONE, FAILED])
    assert run.reason == "nothing was done: no tool call succeeded, and there is no check"


async def test_trouble_with_the_model_pauses_the_run(client: PlanactClient) -> None:
    broken = scene("Carry out step 2 ", say("", fail={"code": "MODEL_KEY_REFUSED", "times": 1}), mode="act")
    uri = set_up(client, FIRST, broken)
    assert (await failure(client.execute(uri=uri)))[0] == "MODEL_KEY_REFUSED"
    assert client.marks(PATH) == [DONE, PENDING]
    assert "status: paused" in client.text(PATH)
    [run] = (await client.do("listExecutions")).executions
    assert (run.status, [step.step_number for step in run.steps]) == ("paused", [1])


async def test_the_actor_can_not_plan_anew(client: PlanactClient) -> None:
    blocked = {"expect": [{"in": "tool", "text": "TOOL_BLOCKED_BY_MODE"}]}
    cunning = scene("Carry out step 2 ", calls(call("write_plan", **SUBMITTED)), {**WRITE, **blocked}, say("Done."))
    assert (await client.execute(uri=set_up(client, FIRST, cunning))).status == "success"
    assert len((await client.do("listPlans")).plans) == 1


async def test_one_session_does_one_thing_at_a_time(client: PlanactClient) -> None:
    uri = set_up(client, SLOW)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.until_heard(messages.MESSAGE_DELTA)
    for command, more in [
        ("executePlan", {}),
        ("executeStep", {"step": 2}),
        ("skipStep", {"step": 2}),
        ("deletePlan", {}),
        ("revisePlan", {"feedback": "x"}),
    ]:
        assert (await client.refusal(command, uri=uri, **more))[0] == "BUSY"
    await client.do("stop")
    assert (await running).status == "paused"


@IN_ONE_ENCODING
async def test_of_two_servers_on_one_folder_one_executes_and_both_plan(client: PlanactClient) -> None:
    planning = scene("greet", calls(call("write_plan", **SUBMITTED)), say("Ready."), mode="plan")
    uri = set_up(client, SLOW, planning)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.until_heard(messages.MESSAGE_DELTA)
    async with planact_client(client.root) as other:
        code, message = await other.refusal("executePlan", uri=uri)
        assert code == "BUSY"
        assert f"{PATH}: Greet the 🌍 politely" in message
        for command, payload in (("skipStep", {"step": 2}), ("revisePlan", {"feedback": "warm"}), ("deletePlan", {})):
            assert await other.refusal(command, uri=uri, **payload) == ("BUSY", f"{PATH} is being executed")
        assert client.marks(PATH) == [StepStatus.RUNNING, PENDING]
        other.show(PATH)
        assert await other.titles(uri) == ["Running step 1 of 2 in another window"]
        assert (await other.do("generatePlan", request="greet them")).plan_id
    assert (await client.do("generatePlan", request="greet them")).plan_id
    await client.do("stop", session_id=(await client.do("listExecutions")).executions[0].session_id)
    assert (await running).status == "paused"


async def test_marks_follow_steps_that_the_user_moves_meanwhile(client: PlanactClient) -> None:
    uri = set_up(client, TAKES_ITS_TIME, SECOND)
    client.show(PATH)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.until_heard(messages.MESSAGE_DELTA)
    moved = client.texts[uri].replace("2. 👋", "3. 👋").replace("1. 😀", "2. 😀")
    client.type(uri, moved.replace("## Steps\n", "## Steps\n- [ ] 1. 𝄞 Mine\n"))
    run = await running
    assert [step.action for step in run.steps] == ["😀 Say hello in `greeting.txt`", "👋 Write `farewell.txt`"]
    assert client.marks(PATH) == [PENDING, DONE, DONE]
    assert (await client.do("showPlan", uri=uri)).is_approved is False


async def test_a_run_ends_well_without_its_document(client: PlanactClient) -> None:
    uri = set_up(client, TAKES_ITS_TIME, SECOND)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.until_heard(messages.MESSAGE_DELTA)
    (client.root / PATH).unlink()
    run = await running
    assert (run.status, client.text("farewell.txt")) == ("success", FAREWELL)
    assert (await client.do("listExecutions")).executions == (run,)


async def test_a_path_is_only_a_path(client: PlanactClient) -> None:
    set_up(client)
    path = "my plans/wörld 🌍 #1%20.plan"
    uri = client.write(path, PLAN)
    client.show(path)
    assert (await client.execute(uri=uri)).plan_file == path
    assert client.marks(path) == [DONE, DONE]
    assert client.text(PATH) == PLAN


async def is_untouched(client: PlanactClient, uri: str) -> None:
    assert client.text("greeting.txt") == GREETING
    assert client.text(PATH) == PLAN
    assert (await client.do("showPlan", uri=uri)).is_approved is False
    assert (await client.do("listExecutions")).executions == ()
    assert (await client.do("showStatus")).mode is Mode.PLAN
