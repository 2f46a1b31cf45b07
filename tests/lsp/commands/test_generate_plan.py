"""`planact.generatePlan`: from a request, in a document or in words, to a plan."""

import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import GREETING, PATH, PLAN, PLANNING, SUBMITTED, set_up
from tests.lsp.commands.planact_client import PlanactClient, call, calls, say, scene
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

REQUEST = "Please greet the 🌍.\n"
STEPS = [step["action"] for step in SUBMITTED["steps"]]


async def test_a_request_becomes_a_plan_in_place(client: PlanactClient) -> None:
    uri = set_up(client, plan=REQUEST)
    made = await client.do("generatePlan", uri=uri)
    assert (made.path, made.uri) == (PATH, uri)
    shown = (await client.do("showPlan", uri=uri)).plan
    assert (shown.id, shown.goal, [step.action for step in shown.steps]) == (made.plan_id, SUBMITTED["goal"], STEPS)
    assert [(item.path, bool(item.sha256)) for item in shown.context] == [
        ("farewell.txt", False),
        ("greeting.txt", True),
    ]
    assert "Please greet the 🌍." in client.text(PATH)
    assert client.text("greeting.txt") == GREETING


async def test_an_open_request_is_replaced_in_its_window(client: PlanactClient) -> None:
    uri = set_up(client, plan="an older text\n")
    client.show(PATH, REQUEST)
    made = await client.do("generatePlan", uri=uri)
    assert made.path == PATH
    assert STEPS[0] in client.texts[uri]
    assert "Please greet the 🌍." in client.texts[uri]
    assert (client.root / PATH).read_text() == "an older text\n"


async def test_words_become_a_plan_of_its_own_with_json_and_index(client: PlanactClient) -> None:
    set_up(client, PLANNING)
    made = await client.do("generatePlan", request="greet them")
    path = client.root / made.path
    assert made.path == f".planact/plans/{made.plan_id}-greet-the-politely.plan"
    data = json.loads(path.with_suffix(".json").read_text())
    assert [step["action"] for step in data["steps"]] == STEPS
    [row] = json.loads((path.parent / "index.json").read_text())["plans"]
    assert (row["id"], row["path"]) == (made.plan_id, made.path)
    [changed] = client.heard(messages.PLAN_CHANGED)
    assert (changed.plan_id, changed.uri) == (made.plan_id, made.uri)
    assert (await client.do("showStatus")).session.plan_file == made.path


async def test_the_work_is_shown_and_streamed(client: PlanactClient) -> None:
    set_up(client, PLANNING)
    made = await client.do("generatePlan", request="greet them")
    [reports] = client.progress_reports.values()
    assert reports[0].title == "Planact: planning"
    assert reports[-1].kind == "end"
    assert "".join(delta.text for delta in client.heard(messages.MESSAGE_DELTA)) == "The plan is ready."
    kinds = [(message.role, message.message_type) for message in client.heard(messages.MESSAGE)]
    assert kinds[0] == ("user", "text")
    assert ("system", "plan") in kinds
    assert kinds[-1] == ("assistant", "text")
    assert client.heard(messages.USAGE)[-1].usage.requests == 3

    def running() -> list[bool]:
        told = client.heard(messages.WORK_CHANGED)
        return [change.is_running for change in told if change.session_id == made.session_id]

    await until(lambda: not running()[-1])
    work = running()
    assert [now for now, before in zip(work, [False, *work], strict=False) if now is not before] == [True, False]
    assert {message.session_id for message in client.heard(messages.MESSAGE)} == {made.session_id}


async def test_when_no_plan_comes_of_it_the_user_hears_what_was_said(client: PlanactClient) -> None:
    uri = set_up(client, scene("", say("Which 🌍?")), plan=REQUEST)
    made = await client.do("generatePlan", uri=uri)
    assert (made.plan_id, made.path, made.uri) == ("", "", "")
    assert [message.message for message in client.messages] == [f"{made.reason}\n\nWhich 🌍?"]
    assert made.reason == "The request led to no plan."
    assert client.text(PATH) == REQUEST


def opened(uri: str) -> tuple[str, str]:
    """Name and text of a document that the client was asked to show."""
    path = Path(unquote(urlsplit(uri).path))
    return path.name, path.read_text("utf-8")


async def test_what_the_user_writes_meanwhile_stays_and_the_plan_is_offered_as_a_revision(
    client: PlanactClient,
) -> None:
    slow = scene("greet", say("one two three", delay=0.2, calls=[call("write_plan", **SUBMITTED)]), say("Ready."))
    uri = set_up(client, slow, plan=REQUEST)
    client.show(PATH)
    making = client.begin("generatePlan", uri=uri)
    await client.until_heard(messages.MESSAGE_DELTA)
    client.type(uri, REQUEST + "Mine 👋.\n")
    made = await making
    assert client.texts[uri] == REQUEST + "Mine 👋.\n"
    assert made.path == ""
    assert "offered as revision 2" in client.messages[-1].message
    [shown] = client.shown_documents
    name, diff = opened(shown.uri)
    assert (name, shown.take_focus) == ("revision-2.diff", False)
    assert {"-Mine 👋.", f"+# {SUBMITTED['goal']}"} <= set(diff.splitlines())
    assert f"+# {SUBMITTED['goal']}\n" in (await client.do("diffPlan", uri=uri, other=2)).diff
    await client.do("restoreRevision", uri=uri, number=2)
    assert (await client.do("showPlan", uri=uri)).plan.goal == SUBMITTED["goal"]


async def test_a_plan_given_as_json_in_plain_words_is_understood(client: PlanactClient) -> None:
    set_up(
        client, scene("greet", say(json.dumps({"type": "plan", "goal": "G 🌍", "steps": [{"action": "a"}]})), say("R"))
    )
    made = await client.do("generatePlan", request="greet them")
    assert (await client.do("showPlan", plan_id=made.plan_id)).plan.goal == "G 🌍"


async def test_a_plan_is_no_request(client: PlanactClient) -> None:
    answer = await client.refusal("generatePlan", uri=set_up(client))
    assert answer == ("PLAN_INVALID", f"{PATH} is a plan already")
    assert client.text(PATH) == PLAN


async def test_in_act_no_plan_is_made(client: PlanactClient) -> None:
    set_up(client)
    session = await client.do("newSession", mode="act")
    code, message = await client.refusal("generatePlan", session_id=session.id, request="greet")
    assert (code, message) == ("MODE_CONFLICT", "a plan is made in Plan")


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("scenes: [", "CONFIG_INVALID"),
        ("scenes:\n- turns:\n  - fail: {code: MODEL_KEY_REFUSED}\n", "MODEL_KEY_REFUSED"),
        ("scenes:\n- when: something else\n  turns: [{say: x}]\n", "MODEL_SCRIPT_MISMATCH"),
    ],
)
async def test_trouble_with_the_model_has_its_code_and_changes_nothing(
    client: PlanactClient, script: str, code: str
) -> None:
    uri = set_up(client, plan=REQUEST)
    client.write("model.yaml", script)
    assert (await client.refusal("generatePlan", uri=uri))[0] == code
    assert client.text(PATH) == REQUEST
    assert (await client.do("showStatus")).is_running is False


async def test_trouble_that_passes_is_waited_out(client: PlanactClient) -> None:
    busy = {"code": "MODEL_OVERLOADED", "transient": True, "retry_after": 0.1, "times": 1}
    set_up(client, scene("greet", calls(call("write_plan", **SUBMITTED), fail=busy), say("Ready.")))
    assert (await client.do("generatePlan", request="greet them")).plan_id
    assert "trying again in 1 s, attempt 2 of 5 [MODEL_OVERLOADED]" in client.log_messages[0].message


async def test_a_plan_that_leads_out_of_the_folder_is_not_written(client: PlanactClient) -> None:
    bad = calls(call("create_file", path="../out.plan", content="# G"))
    set_up(client, scene("greet", bad, say("No.", expect=[{"in": "tool", "text": "TOOL_BLOCKED_BY_MODE"}])))
    made = await client.do("generatePlan", request="greet them")
    assert made.plan_id == ""
    assert not (client.root.parent / "out.plan").exists()


async def test_a_plan_about_a_place_is_made_from_what_the_user_says_then_and_opened(client: PlanactClient) -> None:
    about = scene(r"^greet 👋 warmly\n\nThis is about `greeting.txt:1-2`\.$", *PLANNING["turns"], mode="plan")
    set_up(client, about)
    making = client.begin("generatePlan", about="greeting.txt:1-2", folder=client.root.as_uri())
    question = await client.question()
    assert (question.questions[0].question, question.questions[0].context) == (
        "What should change in `greeting.txt:1-2`?",
        "greeting.txt:1-2",
    )
    await client.answer(question, words="greet 👋 warmly")
    made = await making
    assert made.plan_id
    assert [shown.uri for shown in client.shown_documents] == [made.uri]


async def test_who_has_said_it_is_not_asked_and_who_says_nothing_gets_nothing(client: PlanactClient) -> None:
    set_up(client, PLANNING)
    assert (await client.do("generatePlan", about="greeting.txt:1", request="greet them")).plan_id
    assert client.heard(messages.QUESTION_PENDING) == []
    making = client.begin("generatePlan", about="greeting.txt:1")
    await client.do("declineQuestion", question_id=(await client.question()).question_id)
    assert (await making).plan_id == ""
