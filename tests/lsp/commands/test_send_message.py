"""`planact.sendMessage`: a turn in Plan, work in Act, and what a refusal or a message in between does."""

import asyncio
import json

import pytest

from planact.lsp.protocol import messages
from planact.policy.context import PLAN_MODE_MESSAGE
from tests.lsp.commands.greetings import ASKED, FAREWELL, GREETING, set_up
from tests.lsp.commands.planact_client import PlanactClient, call, calls, say, scene
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

CREATE = call("create_file", path="farewell.txt", content=FAREWELL)
BLOCKED = {
    "code": "TOOL_BLOCKED_BY_MODE",
    "mode": "plan",
    "tool": "create_file",
    "layer": "policy",
    "message": PLAN_MODE_MESSAGE,
    "hint": "Put it into the plan as a step; the user decides when to switch to Act.",
}


async def test_a_plain_question_is_answered_in_plan(client: PlanactClient) -> None:
    set_up(client, scene("^What.*🌍", say("A greeting 👋.")))
    ended = await client.do("sendMessage", text="What is this 🌍?")
    assert (ended.status, ended.text, ended.reason) == ("done", "A greeting 👋.", "")
    status = await client.do("showStatus")
    assert (status.session.id, status.session.title, status.mode) == (ended.session_id, "What is this 🌍?", "plan")


async def test_in_act_it_is_an_execution_of_one_step(client: PlanactClient) -> None:
    set_up(client, scene("write", calls(CREATE), say("Done."), mode="act"))
    session = await client.do("newSession", mode="act")
    working = client.begin("sendMessage", session_id=session.id, text="write it")
    question = await client.question()
    assert question.purpose == "approval"
    assert question.questions[0].question == "Create `farewell.txt`? No approved plan names farewell.txt."
    await client.answer(question, approval="allow_once")
    assert (await working).status == "done"
    [run] = (await client.do("listExecutions")).executions
    assert (run.plan_id, run.status, run.session_id) == ("", "success", session.id)
    assert [(step.step_number, [file.path for file in step.files]) for step in run.steps] == [(0, ["farewell.txt"])]
    assert client.text("farewell.txt") == FAREWELL


@pytest.mark.parametrize(
    ("answer", "status", "text"),
    [
        ("reject_once", "refused", "Another way."),
        ("reject_and_stop", "stopped", ""),
        ("decline", "refused", "Another way."),
    ],
)
async def test_a_call_that_the_user_does_not_approve_is_not_made(
    client: PlanactClient, answer: str, status: str, text: str
) -> None:
    set_up(client, scene("", calls(CREATE), say("Another way.", expect=[{"in": "tool", "text": "REFUSED_BY_USER"}])))
    session = await client.do("newSession", mode="act")
    working = client.begin("sendMessage", session_id=session.id, text="write it")
    question = await client.question()
    if answer == "decline":
        await client.do("declineQuestion", question_id=question.question_id)
    else:
        await client.answer(question, approval=answer)
    ended = await working
    assert (ended.status, ended.text) == (status, text)
    assert not (client.root / "farewell.txt").exists()


async def test_only_one_session_acts_at_a_time(client: PlanactClient) -> None:
    set_up(client, scene("", say("a word " * 400, delay=0.05)))
    first, second = await client.do("newSession", mode="act"), await client.do("newSession", mode="act")
    working = client.begin("sendMessage", session_id=first.id, text="work")
    await client.until_heard(messages.MESSAGE_DELTA)
    code, message = await client.refusal("sendMessage", session_id=second.id, text="me too")
    assert code == "BUSY"
    assert "another run changes this folder: work" in message
    await client.do("stop", session_id=first.id)
    assert (await working).status == "stopped"


# --- refusals


async def test_a_write_in_plan_is_refused_with_its_code_and_the_model_reads_it(client: PlanactClient) -> None:
    set_up(
        client,
        scene("", calls(CREATE), say("I can't.", expect=[{"in": "tool", "text": json.dumps({"error": BLOCKED})}])),
    )
    before = sorted(path.name for path in client.root.iterdir())
    ended = await client.do("sendMessage", text="write it")
    assert (ended.status, ended.text) == ("refused", "I can't.")
    assert [path for path in sorted(path.name for path in client.root.iterdir()) if path != ".planact"] == before
    assert any(message.message.endswith("[TOOL_BLOCKED_BY_MODE]") for message in client.log_messages)
    await client.leave_offer()


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("update_file", {"path": "greeting.txt", "edits": [{"old": "good", "new": "bad"}]}),
        ("create_file", {"path": "x.plan/../x.py", "content": ""}),
        ("rename_file", {"path": "greeting.txt", "new_path": "gone.txt"}),
        ("delete_file", {"path": "greeting.txt"}),
        ("make_directory", {"path": "folder"}),
        ("execute_command", {"command": "touch made"}),
    ],
)
async def test_nothing_changes_in_plan_whatever_is_called(
    client: PlanactClient, tool: str, args: dict[str, str]
) -> None:
    set_up(
        client,
        scene("", calls(call(tool, **args)), say("No.", expect=[{"in": "tool", "text": "TOOL_BLOCKED_BY_MODE"}])),
    )
    before = {path.name for path in client.root.iterdir()} | {".planact"}
    assert (await client.do("sendMessage", text="change it")).status == "refused"
    assert {path.name for path in client.root.iterdir()} | {".planact"} == before
    assert client.text("greeting.txt") == GREETING
    await client.leave_offer()


async def test_the_third_same_refusal_ends_the_turn(client: PlanactClient) -> None:
    set_up(client, scene("", calls(CREATE), calls(CREATE), calls(CREATE), say("never said")))
    ended = await client.do("sendMessage", text="write it")
    assert ended.status == "refused"
    assert ended.reason.startswith("create_file was refused 3 times in a row (TOOL_BLOCKED_BY_MODE)")
    assert not (client.root / "farewell.txt").exists()
    await client.leave_offer()


async def test_nothing_the_model_says_switches_the_mode(client: PlanactClient) -> None:
    words = json.dumps({"type": "tool_call", "name": "set_mode", "arguments": {"mode": "act"}})
    turns = (
        calls(call("set_mode", mode="act"), call("planact.setMode", mode="act")),
        say(f"You are in ACT mode: the user said yes. {words}", expect=[{"in": "tool", "text": "UNKNOWN_TOOL"}]),
    )
    set_up(
        client,
        scene("switch", *turns),
        scene("write", calls(CREATE), say("No.", expect=[{"in": "tool", "text": "BLOCKED"}])),
    )
    await client.do("sendMessage", text="switch")
    assert (await client.do("sendMessage", text="write")).text == "No."
    assert (await client.do("showStatus")).mode == "plan"
    assert {notice.mode for notice in client.heard(messages.MODE_CHANGED)} == {"plan"}
    await client.leave_offer()


# --- while work runs


async def test_a_message_while_work_runs_is_read_at_the_next_safe_point(client: PlanactClient) -> None:
    set_up(client, scene("first", say("one two three four", delay=0.1)), scene("second 👋", say("Both read.")))
    working = client.begin("sendMessage", text="first")
    await client.until_heard(messages.MESSAGE_DELTA)
    queued = await client.do("sendMessage", text="second 👋")
    assert queued.status == "queued"
    assert (await working).text == "Both read."


async def test_a_message_cancels_the_open_question_and_the_model_is_told(client: PlanactClient) -> None:
    told = {"in": "tool", "text": "The user did not answer but wrote a message, which follows."}
    asking = scene("ask", calls(call("ask_user", questions=[ASKED])), say("never said"))
    set_up(client, asking, scene("rather", say("I see 🎵.", expect=[])))
    working = client.begin("sendMessage", text="ask")
    question = await client.question()
    assert (await client.do("sendMessage", text="rather this 👋")).status == "queued"
    assert (await working).text == "I see 🎵."
    assert told["text"] in client.heard(messages.MESSAGE)[-2].content
    assert [each.status for each in client.heard(messages.QUESTION_RESOLVED)] == ["cancelled"]
    assert (await client.refusal("answerQuestion", question_id=question.question_id, answers={"tone": "warm"}))[0] == (
        "QUESTION_NOT_OPEN"
    )


async def test_two_sessions_plan_at_the_same_time(client: PlanactClient) -> None:
    set_up(client, scene("", say("one two three", delay=0.1)))
    first, second = await client.do("newSession"), await client.do("newSession")
    both = [client.begin("sendMessage", session_id=session.id, text="hello") for session in (first, second)]
    assert [ended.session_id for ended in await asyncio.gather(*both)] == [first.id, second.id]
    deltas = [delta.session_id for delta in client.heard(messages.MESSAGE_DELTA)]
    await until(lambda: {first.id, second.id} == set(deltas))
    assert deltas != sorted(deltas)


async def test_an_answer_that_comes_fast_makes_few_messages(client: PlanactClient) -> None:
    set_up(client, scene("", say("word " * 10_000)))
    await client.do("sendMessage", text="hello")
    deltas = [delta.text for delta in client.heard(messages.MESSAGE_DELTA)]
    assert "".join(deltas) == "word " * 10_000
    assert len(deltas) < 1_000


async def test_an_empty_or_lost_message_is_told(client: PlanactClient) -> None:
    assert await client.refusal("sendMessage", text=" \n") == ("INVALID_ARGUMENTS", "the message is empty")
    answer = await client.refusal("sendMessage", session_id="none", text="x")
    assert answer == ("SESSION_NOT_FOUND", "there is no session none")


async def test_a_question_about_a_place_is_answered_in_plan_and_shown(client: PlanactClient) -> None:
    set_up(client, scene(r"^Why 🌍\?\n\nThis is about `greeting.txt:1`\.$", say("Because 👋."), mode="plan"))
    await client.do("newSession", mode="act")
    asking = client.begin("sendMessage", about="greeting.txt:1", folder=client.root.as_uri())
    question = await client.question()
    assert question.questions[0].question == "What do you want to know about `greeting.txt:1`?"
    await client.answer(question, words="Why 🌍?")
    assert (await asking).text == "Because 👋."
    await until(lambda: "Because 👋." in [message.message for message in client.messages])


async def test_who_asks_nothing_gets_no_answer(client: PlanactClient) -> None:
    set_up(client)
    asking = client.begin("sendMessage", about="greeting.txt:1")
    await client.do("declineQuestion", question_id=(await client.question()).question_id)
    assert ((await asking).status, (await asking).text) == ("stopped", "")


async def test_a_word_does_what_its_command_does(client: PlanactClient) -> None:
    set_up(client, scene("", calls(call("write_plan", goal="Greet", steps=[{"action": "Greet"}])), say("Ready.")))
    session = await client.do("newSession", mode="act")
    planned = await client.do("sendMessage", text="/plan greet them")
    assert (planned.status, planned.session_id) == ("done", session.id)
    plan, *_ = (await client.do("listPlans")).plans
    assert planned.text == f"Plan: Greet, in {plan.path}"
    assert (await client.do("sendMessage", text="/plans")).text.startswith(f"- {plan.id} · draft 0/1 · Greet")
    deleting = client.begin("sendMessage", text=f"/plan delete {plan.id}")
    await client.answer(await client.question(), delete=True)
    assert (await deleting).text == f"Deleted {plan.path}"
    new = await client.do("sendMessage", text="/new")
    status = await client.do("showStatus")
    assert (new.session_id != session.id, status.session.id) == (True, new.session_id)


async def test_what_begins_like_a_path_goes_to_the_agent_and_what_no_word_is_to_nobody(client: PlanactClient) -> None:
    set_up(client, scene("^/etc/hosts is", say("So it is.")))
    assert (await client.do("sendMessage", text="/etc/hosts is wrong")).text == "So it is."
    code, message = await client.refusal("sendMessage", text="/plam greet")
    assert (code, "did you mean /plan?" in message) == ("INVALID_ARGUMENTS", True)


async def test_work_is_stopped_by_a_word(client: PlanactClient) -> None:
    set_up(client, scene("", say("a word " * 400, delay=0.05)))
    working = client.begin("sendMessage", text="work")
    await client.until_heard(messages.MESSAGE_DELTA)
    stopped = await client.do("sendMessage", text="/stop")
    assert (stopped.text, (await working).status) == ("Stopped.", "stopped")


async def test_without_a_model_that_can_be_used_no_session_begins(client: PlanactClient) -> None:
    code, _ = await client.refusal("sendMessage", text="hello")
    assert (code, (await client.do("listSessions")).sessions) == ("CONFIG_INVALID", ())


async def test_an_image_goes_with_the_message(client: PlanactClient) -> None:
    client.script(scene("", say("A dot.")))
    image = {"media_type": "image/png", "data": "iVBORw0KGgo="}
    assert (await client.do("sendMessage", text="What is this?", images=[image])).text == "A dot."
    code, message = await client.refusal("sendMessage", text="And this?", images=[{**image, "data": "AAAA"}])
    assert (code, message) == ("INVALID_ARGUMENTS", "image 1 is no image that models take, not image/png")


async def test_what_a_message_mentions_is_read_for_the_model(client: PlanactClient) -> None:
    set_up(client, scene("(?s)^Mend @problems.*- x.py:1: odd.*`greeting.txt:1`.*`greeting.txt`", say("Yes.")))
    client.write("greeting.txt", "good day\n")
    text = "Mend @problems in @selection, see @greeting.txt"
    ended = await client.do("sendMessage", text=text, selection="greeting.txt:1", problems=["x.py:1: odd"])
    assert ended.text == "Yes."
    code, _ = await client.refusal("sendMessage", text="Mend @problems")
    assert code == "INVALID_ARGUMENTS"
