"""`planact.setMode`: the user switches by hand, both ways, and asks before work stops."""

import pytest

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from planact.model.rights.permission import Mode
from tests.lsp.commands.greetings import GREETING, PATH, SLOW, set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, call, calls, planact_client, say, scene
from tests.lsp.editor_client import failure

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("word", "mode", "role"),
    [
        ("act", Mode.ACT, "actor"),
        ("executing", Mode.ACT, "actor"),
        ("build", Mode.ACT, "actor"),
        ("plan", Mode.PLAN, "planner"),
        ("planning", Mode.PLAN, "planner"),
        ("PLAN", Mode.PLAN, "planner"),
    ],
)
async def test_the_mode_is_set_by_name_or_alias(client: PlanactClient, word: str, mode: Mode, role: str) -> None:
    other = Mode.ACT if mode is Mode.PLAN else Mode.PLAN
    before = await client.do("newSession", mode=other)
    session = await client.do("setMode", mode=word)
    assert (session.id, session.mode, session.role) == (before.id, mode, role)
    assert client.heard(messages.MODE_CHANGED)[-1] == messages.ModeChanged(
        folder=client.root.as_uri(), session_id=session.id, mode=mode, role=role, plan_file=""
    )
    told = len(client.heard(messages.MODE_CHANGED))
    assert await client.do("setMode", mode=word) == session
    assert len(client.heard(messages.MODE_CHANGED)) == told


async def test_without_a_session_one_begins(client: PlanactClient) -> None:
    session = await client.do("setMode", mode="act")
    assert (await client.do("listSessions")).sessions == (session,)


async def test_act_by_hand_approves_nothing(client: PlanactClient) -> None:
    uri = set_up(client)
    await client.do("setMode", mode="act")
    running = client.begin("executePlan", uri=uri)
    await client.answer(await client.question(), execute=False)
    assert "was not executed" in (await failure(running))[1]
    assert client.text("greeting.txt") == GREETING


@IN_ONE_ENCODING
async def test_the_mode_outlives_the_server(client: PlanactClient) -> None:
    session = await client.do("setMode", mode="act")
    async with planact_client(client.root) as other:
        assert (await other.do("openSession", session_id=session.id)).mode is Mode.ACT


# --- while work runs


async def test_work_is_stopped_when_the_user_confirms(client: PlanactClient) -> None:
    running, session_id = await run_slowly(client)
    session = await client.do("setMode", mode="plan", confirm_stop=True)
    run = await running
    assert (session.mode, run.status) == (Mode.PLAN, "paused")
    await is_at_rest(client, session_id)


async def test_work_goes_on_when_the_user_does_not_want_it_stopped(client: PlanactClient) -> None:
    running, _ = await run_slowly(client)
    answer = await client.refusal("setMode", mode="plan", confirm_stop=False)
    assert answer == ("MODE_CONFLICT", "work is running and would stop")
    status = await client.do("showStatus")
    assert (status.mode, status.is_running) == (Mode.ACT, True)
    await client.do("stop")
    await running


@pytest.mark.parametrize("stops", [True, False])
async def test_the_server_asks_when_the_client_did_not(client: PlanactClient, stops: bool) -> None:
    running, session_id = await run_slowly(client)
    switching = client.begin("setMode", mode="plan")
    question = await client.question()
    assert question.questions[0].question.startswith("Switch to Plan? Work in progress will stop")
    await client.answer(question, stop=stops)
    if stops:
        assert (await switching).mode is Mode.PLAN
        assert (await running).status == "paused"
        await is_at_rest(client, session_id)
    else:
        assert (await failure(switching))[:2] == ("NOT_CONFIRMED", "work is running and would stop")
        assert (await client.do("showStatus")).is_running is True
        await client.do("stop")
        await running


async def test_a_switch_blocks_the_very_next_write(client: PlanactClient) -> None:
    writes = [calls(call("create_file", path=f"{n}.txt", content="x")) for n in range(3)]
    set_up(client, scene("write", *writes, say("done"), mode="act"))
    await client.do("newSession", mode="act")
    working = client.begin("sendMessage", text="write")
    await client.answer(await client.question(1), approval="allow_once")
    question = await client.question(2)
    await client.do("setMode", mode="plan", confirm_stop=True)
    assert (await working).status == "stopped"
    late = await client.refusal("answerQuestion", question_id=question.question_id, answers={"approval": "allow_once"})
    assert late[0] == "QUESTION_NOT_OPEN"
    assert sorted(path.name for path in client.root.glob("?.txt")) == ["0.txt"]


async def test_a_turn_that_began_in_plan_may_write_once_the_user_switched(client: PlanactClient) -> None:
    write = calls(call("create_file", path="farewell.txt", content="x"))
    slow = say("one two three", delay=0.1, calls=write["calls"])
    blocked = {"expect": [{"in": "tool", "text": "TOOL_BLOCKED_BY_MODE"}]}
    set_up(client, scene("", write, {**slow, **blocked}, say("done")))
    working = client.begin("sendMessage", text="write")
    await client.until_heard(messages.MESSAGE_DELTA)
    await client.do("setMode", mode="act")
    await client.answer(await client.question(), approval="allow_once")
    assert (await working).status == "done"
    assert client.text("farewell.txt") == "x"


async def run_slowly(client: PlanactClient) -> tuple[object, str]:
    """Begin to execute a plan whose first step takes its time."""
    uri = set_up(client, SLOW)
    hash = (await client.do("showPlan", uri=uri)).plan_hash
    running = client.begin("executePlan", uri=uri, approve_hash=hash)
    await client.until_heard(messages.MESSAGE_DELTA)
    return running, (await client.do("showStatus")).session.id


async def is_at_rest(client: PlanactClient, session_id: str) -> None:
    """The plan can be taken up again, in Plan or in Act."""
    status = await client.do("showStatus")
    assert (status.session.id, status.is_running, status.open_questions) == (session_id, False, 0)
    assert client.marks(PATH) == [StepStatus.PENDING, StepStatus.PENDING]
    assert "status: paused" in client.text(PATH)
