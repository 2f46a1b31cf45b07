"""`textDocument/codeLens`: what can be done with a plan in each of its states, at its place, with one click."""

import asyncio
from typing import Any

import pytest
from lsprotocol import types

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from tests.lsp.commands.greetings import (
    ASK_PLAN,
    ASKING,
    FAREWELL,
    FIRST,
    GREETING,
    PATH,
    PLAN,
    PLANNING,
    REVISING,
    SECOND,
    SLOW,
    set_up,
)
from tests.lsp.commands.planact_client import PlanactClient, error_number, say, scene
from tests.lsp.editor_client import failure
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

REQUEST = "\n𝄞 Please greet the 🌍.\n"
COMMENTED = (
    PLAN.replace("  - reason: it is polite\n", "  - reason: it is polite\n  > be warm 👋\n") + "\n> and warmer\n"
)
GOAL = "Greet the 🌍 politely"
ONE, TWO = "😀 Say hello in `greeting.txt`", "👋 Write `farewell.txt`"
STEP_ONE = [(ONE, "Run step"), (ONE, "Skip")]
STEP_TWO = [(TWO, "Run step"), (TWO, "Skip")]
AGAIN = [(GOAL, "Approve"), (GOAL, "Execute Plan"), (GOAL, "Revise")]


async def places(client: PlanactClient, uri: str) -> list[tuple[str, str]]:
    """Each lens: the text it stands at, found by the client in its own encoding, and its title."""
    found = await client.lenses(uri)
    return [(client.shown_at(uri, lens.range), lens.command.title) for lens in found if lens.command]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param(REQUEST, [("𝄞 Please greet the 🌍.", "Generate plan")], id="request"),
        pytest.param(PLAN, [(GOAL, "Draft · 2 steps"), *AGAIN, *STEP_ONE, *STEP_TWO], id="draft"),
        pytest.param(
            COMMENTED,
            [(GOAL, "Draft · 2 steps"), (GOAL, "Revise (2 comments)"), *AGAIN[:2], *STEP_ONE, *STEP_TWO],
            id="draft with comments",
        ),
        pytest.param(
            PLAN.replace("status: draft", "status: approved"),
            [(GOAL, "Draft · 2 steps"), *AGAIN, *STEP_ONE, *STEP_TWO],
            id="says it is approved",
        ),
        pytest.param(PLAN.replace("[ ] 1", "[x] 1"), [(GOAL, "1 of 2 done"), *AGAIN, *STEP_TWO], id="partly done"),
        pytest.param(
            PLAN.replace("[ ] 1", "[-] 1").replace("[ ] 2", "[!] 2"),
            [(GOAL, "0 of 2 done · 1 failed · 1 skipped"), *AGAIN, (TWO, "Retry"), (TWO, "Skip")],
            id="failed",
        ),
        pytest.param(PLAN.replace("[ ]", "[x]"), [(GOAL, "2 of 2 done"), (GOAL, "Revise")], id="done"),
        pytest.param(PLAN.replace("\n", "\r\n"), [(GOAL, "Draft · 2 steps"), *AGAIN, *STEP_ONE, *STEP_TWO], id="crlf"),
    ],
)
async def test_a_plan_offers_what_can_be_done_at_its_place(
    client: PlanactClient, text: str, expected: list[tuple[str, str]]
) -> None:
    set_up(client)
    uri = client.show(PATH, text)
    assert await places(client, uri) == expected


async def test_an_approved_plan_is_not_to_be_approved_again(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.click(await client.lens(uri, "Approve"))
    assert await places(client, uri) == [
        (GOAL, "Approved · 2 steps"),
        (GOAL, "Execute Plan"),
        (GOAL, "Revise"),
        *STEP_ONE,
        *STEP_TWO,
    ]


async def test_while_a_model_plans_it_can_be_stopped(client: PlanactClient) -> None:
    uri = set_up(client, scene("", say("a word " * 400, delay=0.05)))
    client.show(PATH, REQUEST)
    making = asyncio.ensure_future(client.click(await client.lens(uri, "Generate plan")))
    await client.until_heard(messages.MESSAGE_DELTA)
    at = "𝄞 Please greet the 🌍."
    assert await places(client, uri) == [(at, "Generating plan"), (at, "Stop")]
    assert (await client.click(await client.lens(uri, "Stop"))).stopped is True
    assert (await making).plan_id == ""
    assert await client.titles(uri) == ["Generate plan"]


async def test_a_running_plan_tells_its_step_and_can_be_stopped(client: PlanactClient) -> None:
    uri = set_up(client, SLOW)
    client.show(PATH)
    running = asyncio.ensure_future(client.click(await client.lens(uri, "Execute Plan")))
    await client.until_heard(messages.MESSAGE_DELTA)
    assert await places(client, uri) == [(GOAL, "Running step 1 of 2"), (GOAL, "Stop")]
    assert (await client.click(await client.lens(uri, "Stop"))).stopped is True
    assert (await running).status == "paused"
    assert (await client.titles(uri))[:2] == ["Approved · 2 steps", "Continue"]


async def test_a_plan_that_waits_for_an_answer_shows_the_question_again(client: PlanactClient) -> None:
    uri = set_up(client, ASKING, plan=ASK_PLAN)
    client.show(PATH)
    running = asyncio.ensure_future(client.click(await client.lens(uri, "Execute Plan")))
    question = await client.question()
    assert await places(client, uri) == [
        ("Ask 🎵 and write", "Waiting for your answer"),
        ("Ask 🎵 and write", "Answer"),
    ]
    assert (await client.click(await client.lens(uri, "Answer"))).status == "open"
    assert await client.question(2) == question
    await client.answer(question, tone="warm")
    assert (await running).status == "success"
    assert await client.titles(uri) == ["1 of 1 done", "Revise", "Roll back", "Show diff", "Roll back"]


WAITING = [(GOAL, "Waiting for your answer"), (GOAL, "Answer")]
AT_REST = [(GOAL, "Draft · 2 steps"), *AGAIN, *STEP_ONE, *STEP_TWO]


@pytest.mark.parametrize(("command", "answer"), [("executePlan", {"execute": True}), ("deletePlan", {"delete": False})])
async def test_a_confirmation_that_was_dismissed_is_shown_as_open_and_can_be_given(
    client: PlanactClient, command: str, answer: dict[str, bool]
) -> None:
    uri = set_up(client)
    client.show(PATH)
    session = await client.do("newSession")  # which has no plan in hand
    before = client.refreshes
    asking = client.begin(command, uri=uri, session_id=session.id)
    question = await client.question()
    await until(lambda: client.refreshes > before)
    assert await places(client, uri) == WAITING
    await client.click(await client.lens(uri, "Answer"))
    assert await client.question(2) == question
    await client.answer(question, **answer)
    if command == "executePlan":
        assert (await asking).status == "success"
    else:
        assert (await failure(asking))[0] == "NOT_CONFIRMED"
        assert await places(client, uri) == AT_REST


async def test_a_question_that_nobody_waits_for_any_more_holds_nothing_up(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    params = types.ExecuteCommandParams("planact.executePlan", [{"uri": uri}])
    asking = client.protocol.send_request_async(types.WORKSPACE_EXECUTE_COMMAND, params, msg_id="asking")
    asking = asyncio.ensure_future(asking)
    await client.question()
    client.cancel_request(types.CancelParams("asking"))
    assert await error_number(asking) == types.LSPErrorCodes.RequestCancelled.value
    assert await places(client, uri) == AT_REST


async def test_stopping_takes_a_confirmation_back(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    asking = client.begin("executePlan", uri=uri)
    await client.question()
    await client.do("stop")
    assert (await failure(asking))[0] == "NOT_CONFIRMED"
    assert await places(client, uri) == AT_REST


@pytest.mark.parametrize(
    ("text", "title", "number", "marks"),
    [
        (PLAN, "Execute Plan", 0, [StepStatus.DONE, StepStatus.DONE]),
        (PLAN, "Run step", 1, [StepStatus.PENDING, StepStatus.DONE]),
        (PLAN, "Skip", 0, [StepStatus.SKIPPED, StepStatus.PENDING]),
        (PLAN.replace("[ ] 1", "[x] 1"), "Execute Plan", 0, [StepStatus.DONE, StepStatus.DONE]),
        (PLAN.replace("[ ] 2", "[!] 2"), "Retry", 0, [StepStatus.PENDING, StepStatus.DONE]),
        (COMMENTED, "Revise (2 comments)", 0, [StepStatus.PENDING, StepStatus.PENDING]),
        (REQUEST, "Generate plan", 0, [StepStatus.PENDING, StepStatus.PENDING]),
        (PLAN, "Approve", 0, [StepStatus.PENDING, StepStatus.PENDING]),
    ],
)
async def test_a_click_does_it_without_another_question(
    client: PlanactClient, text: str, title: str, number: int, marks: list[StepStatus]
) -> None:
    uri = set_up(client, REVISING, PLANNING, FIRST, SECOND, plan=text)
    client.show(PATH)
    await client.click(await client.lens(uri, title, number))
    assert client.marks(PATH) == marks
    assert client.heard(messages.QUESTION_PENDING) == []


@pytest.mark.parametrize(("title", "number"), [("Execute Plan", 0), ("Run step", 1)], ids=["the plan", "a step"])
async def test_a_click_on_what_the_user_no_longer_sees_asks_first(
    client: PlanactClient, title: str, number: int
) -> None:
    uri = set_up(client)
    client.show(PATH)
    stale = await client.lens(uri, title, number)
    client.type(uri, PLAN.replace("it is polite", "👻 it is not"))
    running = asyncio.ensure_future(client.click(stale))
    await client.answer(await client.question(), execute=False)
    assert "was not executed" in (await failure(running))[1]
    assert client.text("greeting.txt") == GREETING
    assert not (client.root / "farewell.txt").exists()


async def test_a_late_click_approves_nothing(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    stale = await client.lens(uri, "Approve")
    client.type(uri, PLAN.replace("it is polite", "👻 it is not"))
    assert (await failure(client.click(stale)))[0] == "PLAN_CHANGED_SINCE_APPROVAL"
    assert "Approve" in await client.titles(uri)


async def test_lenses_are_asked_for_again_when_something_changed(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.approve(uri)
    await until(lambda: client.refreshes > 0)
    before = client.refreshes
    await client.do("executeStep", uri=uri, step=2)
    await until(lambda: client.refreshes > before)
    assert client.text("farewell.txt") == FAREWELL


@pytest.mark.parametrize("uri", ["file:///nowhere/x.plan", "untitled:new.plan"])
async def test_a_plan_outside_the_folder_has_lenses_whose_click_tells_why(client: PlanactClient, uri: str) -> None:
    client.show(PATH, PLAN, uri=uri)
    assert "Execute Plan" in await client.titles(uri)
    assert (await failure(client.click(await client.lens(uri, "Execute Plan"))))[0] == "NO_WORKSPACE"


SECOND_TITLE = "Step 2 of “Greet the 🌍 politely”"


async def test_a_file_shows_the_steps_of_approved_plans_that_touch_it(client: PlanactClient) -> None:
    uri = set_up(client, plan=PLAN.replace("files: farewell.txt", "files: farewell.txt, greeting.txt:2"))
    source = client.show("greeting.txt", "🌍 good day\n👋\n")
    assert await client.lenses(source) == []
    await client.approve(uri)
    assert await places(client, source) == [("🌍 good day", SECOND_TITLE.replace("2", "1")), ("👋", SECOND_TITLE)]
    client.show(PATH)
    await client.click(await client.lens(source, SECOND_TITLE))
    assert [shown.uri for shown in client.shown_documents] == [uri]
    client.type(uri, client.texts[uri].replace("polite", "kind"))
    assert await client.lenses(source) == []


async def test_a_step_that_is_over_shows_no_more_in_its_files(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.approve(uri)
    await client.do("executeStep", uri=uri, step=1)
    assert await client.titles(client.show("greeting.txt")) == []
    assert await client.titles(client.show("farewell.txt", "")) == [SECOND_TITLE]


@pytest.mark.parametrize("path", ["a.md", "a.plan.txt"])
async def test_other_documents_have_none(client: PlanactClient, path: str) -> None:
    uri = client.show(path, PLAN)
    assert await client.lenses(uri) == []
    assert await client.lenses(client.uri("closed.plan")) == []


async def test_what_only_tells_does_nothing_when_clicked(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    told: Any = await client.lens(uri, "Draft · 2 steps")
    assert told == types.Command("Draft · 2 steps", "")
