"""A message that asks to execute the plan just made, on a real server: one question, at once, or not at all."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from planact.lsp.protocol import messages
from planact.model.plan import StepStatus
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from tests.lsp.commands.greetings import FAREWELL, FIRST, GREETING, HELLO, PLANNING, SECOND, set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, full, planact_client, say, scene
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

GO = "Looks good 👍, go ahead!"
NAMED = "Execute the plan “Greet the 🌍 politely” (2 steps)?"
HEARD = scene("go ahead|keep planning|Execute", say("I hear you."), mode="plan")


async def planned(client: PlanactClient, **intent: str) -> str:
    """The path of a plan that was just made in the session in hand."""
    set_up(client, PLANNING, FIRST, SECOND, HEARD)
    (client.root / "greet.plan").unlink()
    if intent:
        client.configure(intent=intent)
    assert (await client.do("sendMessage", text="greet them 👋")).text == "The plan is ready."
    plan_file = (await client.do("showStatus")).session.plan_file
    assert isinstance(plan_file, str)
    return plan_file


async def runs(client: PlanactClient) -> tuple[Execution, ...]:
    executions = (await client.do("listExecutions")).executions
    assert isinstance(executions, tuple)
    return executions


async def is_untouched(client: PlanactClient, path: str) -> None:
    assert (await client.do("showStatus")).mode is Mode.PLAN
    assert (await client.do("showPlan", uri=client.uri(path))).is_approved is False
    assert (await runs(client), client.text("greeting.txt")) == ((), GREETING)


async def test_one_click_executes_the_plan_that_it_names(client: PlanactClient) -> None:
    path = await planned(client)
    going = client.begin("sendMessage", text=GO)
    question = await client.question()
    assert (question.purpose, question.questions[0].question) == ("confirm", NAMED)
    shown = await client.do("showPlan", uri=client.uri(path))
    assert (question.plan_hash, shown.origin) == (shown.plan_hash, "own")
    assert question.questions[0].context.splitlines() == [
        f"{path}, hash of its text: {shown.plan_hash}",
        "- Steps: `` 😀 Say hello in `greeting.txt` ``, `` 👋 Write `farewell.txt` ``",
        "- Your yes allows without another question: change `greeting.txt`; create `farewell.txt`",
        "- Run: `grep -q hello greeting.txt`",
        "- These commands may change all files of the folder, and use the network.",
        "- Risks: the plan names none",
    ]
    await is_untouched(client, path)
    await client.answer(question, execute=True)
    ended = await going
    assert (ended.status, ended.text) == ("done", "success: Greet the 🌍 politely")
    assert (client.text("greeting.txt"), client.text("farewell.txt")) == (HELLO, FAREWELL)
    assert client.marks(path) == [StepStatus.DONE, StepStatus.DONE]
    changed = client.heard(messages.MODE_CHANGED)[-1]
    assert (changed.mode, changed.plan_file) == (Mode.ACT, path)


async def test_what_is_unsaved_is_what_is_asked_about_with_the_difference(client: PlanactClient) -> None:
    path = await planned(client)
    uri = client.show(path)
    client.type(uri, client.texts[uri].replace("it is polite", "it is kind"))
    going = client.begin("sendMessage", text=GO)
    question = (await client.question()).questions[0]
    assert question.question == f"The plan changed since it was written. {NAMED}"
    assert "-  - reason: it is polite\n+  - reason: it is kind" in question.context
    await client.answer(await client.question(), execute=False)
    assert (await going).text == "I hear you."


async def test_auto_executes_at_once_and_says_so(client: PlanactClient) -> None:
    path = await planned(client, switch="auto")
    assert (await client.do("sendMessage", text=GO)).status == "done"
    assert client.marks(path) == [StepStatus.DONE, StepStatus.DONE]
    assert client.heard(messages.QUESTION_PENDING) == []
    told = f"Switched to Act because you wrote “{GO}”."
    assert told in [message.content for message in client.heard(messages.MESSAGE)]
    assert any(told in message.message for message in client.log_messages)


async def test_off_leaves_it_to_the_planner(client: PlanactClient) -> None:
    path = await planned(client, switch="off")
    assert (await client.do("sendMessage", text=GO)).text == "I hear you."
    assert client.heard(messages.QUESTION_PENDING) == []
    await is_untouched(client, path)


async def test_what_was_queued_while_the_plan_was_written_executes_nothing(client: PlanactClient) -> None:
    written = PLANNING["turns"][1]
    slow = scene("greet", {**written, "say": "a word now and then", "delay": 0.1}, mode="plan")
    set_up(client, slow, scene("go ahead", say("There is the plan."), mode="plan"))
    client.configure(intent={"switch": "auto"})
    working = client.begin("sendMessage", text="greet them 👋")
    await client.until_heard(messages.MESSAGE_DELTA)
    assert (await client.do("sendMessage", text=GO)).status == "queued"
    assert (await working).text == "There is the plan."
    await is_untouched(client, (await client.do("showStatus")).session.plan_file)


@IN_ONE_ENCODING
async def test_a_repository_does_not_turn_it_on(client: PlanactClient) -> None:
    client.write(".planact/config.toml", '[intent]\nswitch = "auto"\nmodel = "scripted:model.yaml"\n')
    path = await planned(client)
    going = client.begin("sendMessage", text=GO)
    await client.do("declineQuestion", question_id=(await client.question()).question_id)
    ended = await going
    assert (ended.status, ended.reason.startswith("The plan was not executed")) == ("stopped", True)
    await is_untouched(client, path)


# --- answers that are none


async def test_answers_that_do_not_fit_and_other_questions_change_nothing(client: PlanactClient) -> None:
    path = await planned(client)
    going = client.begin("sendMessage", text=GO)
    question = await client.question()
    other = await client.do("newSession")
    asking = client.begin("setMode", session_id=other.id, mode="act")
    assert (await asking).mode is Mode.ACT
    for answers in ({}, {"execute": "true"}, {"execute": 1}, {"execute": None}, {"approve": True}, {"EXECUTE": True}):
        refused = await client.refusal("answerQuestion", question_id=question.question_id, answers=answers or {"": ""})
        assert refused[0] == "ANSWER_INVALID"
    wrong = await client.refusal("answerQuestion", question_id=other.id, answers={"execute": True})
    assert wrong[0] == "QUESTION_NOT_OPEN"
    assert not going.done()
    await client.do("cancelQuestion", question_id=question.question_id)
    assert (await going).status == "stopped"
    late = await client.refusal("answerQuestion", question_id=question.question_id, answers={"execute": True})
    assert late[0] == "QUESTION_NOT_OPEN"
    await client.do("openSession", session_id=question.session_id)
    await is_untouched(client, path)


@IN_ONE_ENCODING
async def test_of_two_connections_the_first_answer_counts(client: PlanactClient) -> None:
    path = await planned(client)
    going = client.begin("sendMessage", text=GO)
    question = await client.question()
    async with planact_client(client.root) as other:
        refused = await other.refusal("answerQuestion", question_id=question.question_id, answers={"approve": True})
        assert refused[0] == "ANSWER_INVALID"
        await other.answer(question, execute=False)
        assert (await going).text == "I hear you."
        for late in (client, other):
            refused = await late.refusal("answerQuestion", question_id=question.question_id, answers={"execute": True})
            assert refused[0] == "QUESTION_NOT_OPEN"
    await is_untouched(client, path)


@pytest.mark.parametrize("title", [None, "Yes, execute it", "execute plan", "Execute Plan"])
async def test_a_dialog_that_is_closed_or_answered_late_or_with_an_unknown_button_is_no_yes(
    tmp_path: Path, title: str | None
) -> None:
    """The known button is clicked too late: the question was cancelled meanwhile."""
    asked, clicks = asyncio.Event(), asyncio.Event()

    async def click(_: types.ShowMessageRequestParams) -> Any:
        asked.set()
        if title == "Execute Plan":
            await clicks.wait()
        return None if title is None else types.MessageActionItem(title)

    async with planact_client(tmp_path, full(extras={})) as client:
        path = await planned(client)
        client.on_question = click
        going = client.begin("sendMessage", text=GO)
        await asyncio.wait_for(asked.wait(), 180)
        [question] = (await client.do("listQuestions")).questions
        await asyncio.sleep(0.1)
        assert not going.done()
        await client.do("cancelQuestion", question_id=question.question_id)
        clicks.set()
        assert (await going).status == "stopped"
        await is_untouched(client, path)


async def test_a_button_that_is_clicked_twice_counts_once(tmp_path: Path) -> None:
    async def click(_: types.ShowMessageRequestParams) -> Any:
        return types.MessageActionItem("Execute Plan")

    async with planact_client(tmp_path, full(extras={})) as client:
        await planned(client)
        client.on_question = click
        going = client.begin("sendMessage", text=GO)
        await until(lambda: (tmp_path / "farewell.txt").exists())
        assert (await going).status == "done"
        [run] = await runs(client)
        assert run.status == "success"
