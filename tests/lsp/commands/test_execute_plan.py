"""`planact.executePlan`: only by the user's yes to exactly this text, then step by step."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from planact.lsp import protocol
from planact.model.permission import Mode
from planact.model.plan import StepStatus
from planact.plan.approval import approval_hash
from tests.lsp.commands.greetings import (
    FAREWELL,
    FIRST,
    GREETING,
    HELLO,
    PATH,
    PLAN,
    PLAN_ID,
    SECOND,
    SLOW,
    SUBMITTED,
    WRITE,
    set_up,
)
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, call, calls, planact_client, say, scene
from tests.lsp.editor_client import Applied, Edit, failure

pytestmark = pytest.mark.asyncio(loop_scope="session")

PENDING, DONE, SKIPPED, FAILED = StepStatus.PENDING, StepStatus.DONE, StepStatus.SKIPPED, StepStatus.FAILED


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
    assert [progress.text for progress in client.heard(protocol.EXECUTION_PROGRESS)] == [
        "Step 1 of 2: 😀 Say hello in `greeting.txt`",
        "Step 1: done",
        "Step 2 of 2: 👋 Write `farewell.txt`",
        "Step 2: done",
        "success",
    ]
    [reports] = client.progress_reports.values()
    assert (reports[0].title, reports[-1].kind) == ("Planact: executing", "end")
    assert reports[1].message.startswith("Step 1 of 2")
    assert client.heard(protocol.MODE_CHANGED)[-1].mode is Mode.ACT
    assert client.refreshes > 0
    said = [m.content for m in client.heard(protocol.MESSAGE) if m.role == "system"]
    assert said[-1].startswith("Greet the 🌍 politely: success\n1. 😀 Say hello")


# --- the user's yes


async def test_without_a_hash_the_user_is_asked(client: PlanactClient) -> None:
    uri = set_up(client)
    running = client.begin("executePlan", uri=uri)
    question = await client.question()
    assert (question.purpose, question.questions[0].question) == (
        "confirm",
        "Execute the plan “Greet the 🌍 politely” (2 steps)?",
    )
    assert client.text("greeting.txt") == GREETING
    await client.answer(question, execute=True)
    assert (await running).status == "success"


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
    await client.do("approvePlan", uri=uri)
    client.write(PATH, client.text(PATH).replace("it is polite", "it is 👋 kind"))
    running = client.begin("executePlan", uri=uri)
    question = (await client.question()).questions[0]
    assert question.question.startswith("The plan changed since you approved it. Execute the plan")
    assert "-  - reason: it is polite\n+  - reason: it is 👋 kind\n" in question.context
    await client.answer(await client.question(), execute=False)
    assert (await failure(running))[0] == "PLAN_CHANGED_SINCE_APPROVAL"
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
            assert (await failure(running))[0] == "PLAN_STALE"


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


async def test_a_check_that_fails_ends_the_run(client: PlanactClient) -> None:
    uri = set_up(client, plan=PLAN.replace("grep -q hello", "grep -q goodbye"))
    run = await client.execute(uri=uri)
    assert (run.status, run.reason) == ("failed", "the check `grep -q goodbye greeting.txt` ended with 1")
    assert client.marks(PATH) == [FAILED, PENDING]
    assert "status: failed" in client.text(PATH)


async def test_a_step_of_which_nothing_was_done_is_not_done(client: PlanactClient) -> None:
    lazy = scene("Carry out step 2 ", say("All done 👋."), mode="act")
    run = await client.execute(uri=set_up(client, FIRST, lazy))
    assert (run.status, client.marks(PATH)) == ("partial_success", [DONE, FAILED])
    assert run.reason == "nothing was done: no tool call succeeded and there is no check"


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
    await client.until_heard(protocol.MESSAGE_DELTA)
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
    await client.until_heard(protocol.MESSAGE_DELTA)
    async with planact_client(client.root) as other:
        code, message = await other.refusal("executePlan", uri=uri)
        assert code == "BUSY"
        assert f"{PLAN_ID} Greet the 🌍 politely" in message
        assert (await other.do("generatePlan", request="greet them")).plan_id
    assert (await client.do("generatePlan", request="greet them")).plan_id
    await client.do("stop", session_id=(await client.do("listExecutions")).executions[0].session_id)
    assert (await running).status == "paused"


# --- open and closed files


async def test_an_open_file_is_changed_in_its_window_and_saved_before_a_check(client: PlanactClient) -> None:
    uri = set_up(client)
    plan, greeting = client.show(PATH), client.show("greeting.txt")
    assert (await client.execute(uri=uri)).status == "success"
    assert (client.texts[greeting], client.texts[plan]) == (
        HELLO,
        PLAN.replace("[ ]", "[x]").replace("status: draft", "status: done"),
    )
    # The check ran on the disk.
    assert (client.root / "greeting.txt").read_text() == HELLO
    assert [greeting] in client.saves
    assert (client.root / PATH).read_text() == client.texts[plan]


async def test_a_check_never_sees_an_older_text_than_the_user(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show("greeting.txt")
    client.on_save = lambda _: None
    run = await client.execute(uri=uri)
    assert (run.status, client.marks(PATH)) == ("failed", [FAILED, PENDING])
    [check] = run.steps[0].checks
    assert (check.passed, check.exit_code) == (False, None)
    assert "EDIT_CONFLICT" in check.output
    assert "greeting.txt" in check.output


async def test_unsaved_text_is_what_the_agent_reads_and_changes(client: PlanactClient) -> None:
    uri = set_up(client)
    greeting = client.show("greeting.txt", "😀 unsaved 𝄞\n👋 good day\nand more 𝄞\n")
    assert (await client.execute(uri=uri)).status == "success"
    assert client.texts[greeting] == "😀 unsaved 𝄞\n🌍 hello\nand more 𝄞\n"


async def test_an_editor_that_refuses_is_told_to_the_model(client: PlanactClient) -> None:
    async def refuse(_: Edit) -> Applied:
        return Applied(applied=False, failure_reason="read-only")

    told = await told_by_an_editor_that(client, refuse)
    assert "EDIT_REFUSED" in told
    assert "read-only" in told
    assert client.text("greeting.txt") == GREETING


async def test_what_the_user_types_meanwhile_is_never_overwritten(client: PlanactClient) -> None:
    async def type_first(params: Edit) -> Applied:
        client.type(client.uri("greeting.txt"), "the user's own 👋\n")
        return await client.make(params)

    assert "EDIT_CONFLICT" in await told_by_an_editor_that(client, type_first)
    assert client.text("greeting.txt") == "the user's own 👋\n"


@IN_ONE_ENCODING
async def test_an_editor_that_lies_is_found_out(client: PlanactClient) -> None:
    async def lie(_: Edit) -> Applied:
        return Applied(applied=True)

    told = await told_by_an_editor_that(client, lie)
    assert "the editor said that it changed greeting.txt, and did not" in told
    assert client.text("greeting.txt") == GREETING


async def told_by_an_editor_that(client: PlanactClient, misbehaves: Callable[[Edit], Awaitable[Applied]]) -> str:
    """What the model hears when the editor treats its edit so; the step fails, and the run with it."""
    uri = set_up(client, scene("Carry out step 1 ", *FIRST["turns"][:2], say("It can't be done."), mode="act"), SECOND)
    client.show("greeting.txt")
    client.on_edit = misbehaves
    run = await client.execute(uri=uri)
    assert (run.status, client.marks(PATH)) == ("failed", [FAILED, PENDING])
    [told] = [m.content for m in client.heard(protocol.MESSAGE) if m.role == "tool" and "EDIT" in m.content]
    return str(told)


async def test_a_plan_that_the_user_types_in_is_marked_all_the_same(client: PlanactClient) -> None:
    uri = set_up(client, SLOW)
    client.show(PATH)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.until_heard(protocol.MESSAGE_DELTA)
    client.type(uri, client.texts[uri].replace("politely\n", "politely\n\n😀 mine\n"))
    await client.do("stop")
    assert (await running).status == "paused"
    assert client.texts[uri] == PLAN.replace("politely\n", "politely\n\n😀 mine\n").replace("draft", "paused")


async def is_untouched(client: PlanactClient, uri: str) -> None:
    assert client.text("greeting.txt") == GREETING
    assert client.text(PATH) == PLAN
    assert (await client.do("showPlan", uri=uri)).is_approved is False
    assert (await client.do("listExecutions")).executions == ()
    assert (await client.do("showStatus")).mode is Mode.PLAN
