"""The whole road in clients without extras: questions by buttons, by message, or only by command."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from planact.model.plan import StepStatus
from tests.lsp.commands.greetings import (
    ASK_PLAN,
    ASKED,
    ASKING,
    FAREWELL,
    FIRST,
    HELLO,
    PATH,
    PLAN,
    PLANNING,
    SECOND,
    set_up,
)
from tests.lsp.commands.planact_client import call, calls, full, planact_client, say, scene
from tests.lsp.editor_client import BROKEN, LIMIT, failure
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

PLAIN = full(extras={})
BARE = types.ClientCapabilities()

Click = Callable[[types.ShowMessageRequestParams], Awaitable[Any]]


def clicking(*titles: str | None) -> tuple[list[types.ShowMessageRequestParams], Click]:
    """A user who clicks on one button after the other, None = closes the message; and what was asked."""
    asked: list[types.ShowMessageRequestParams] = []

    async def click(params: types.ShowMessageRequestParams) -> Any:
        asked.append(params)
        title = titles[len(asked) - 1]
        return None if title is None else types.MessageActionItem(title)

    return asked, click


async def test_a_question_is_answered_with_a_button(tmp_path: Path) -> None:
    async with planact_client(tmp_path, PLAIN) as client:
        uri = set_up(client, ASKING, plan=ASK_PLAN)
        asked, client.on_question = clicking("Execute Plan", "Cool")
        assert (await client.do("executePlan", uri=uri)).status == "success"
        assert [[action.title for action in question.actions or ()] for question in asked] == [
            ["Execute Plan", "Cancel"],
            ["Warm", "Cool", "Decline"],
        ]
        assert client.text("farewell.txt") == "cool\n"
        assert client.notices == []


async def test_a_question_that_is_dismissed_stays_open_and_is_answered_later(tmp_path: Path) -> None:
    async with planact_client(tmp_path, PLAIN) as client:
        uri = set_up(client, ASKING, plan=ASK_PLAN)
        asked, client.on_question = clicking("Execute Plan", None, "Warm")
        running = client.begin("executePlan", uri=uri)
        await until(lambda: len(asked) == 2)
        [question] = (await client.do("listQuestions")).questions
        assert (await client.do("showStatus")).is_running is True
        # The lens of the plan shows it again.
        client.show(PATH)
        assert await client.click(await client.lens(uri, "Answer")) is not None
        assert (await running).status == "success"
        assert (len(asked), client.text("farewell.txt")) == (3, "warm\n")
        assert (await client.refusal("answerQuestion", question_id=question.question_id, answers={"tone": "warm"}))[
            0
        ] == ("QUESTION_NOT_OPEN")


async def test_an_answer_that_names_no_button_is_none_and_the_plan_takes_the_question(tmp_path: Path) -> None:
    async def close(params: types.ShowMessageRequestParams) -> Any:
        # As Kate does when the user closes the message.
        return {} if "tone" in params.message else types.MessageActionItem("Execute Plan")

    async with planact_client(tmp_path, PLAIN) as client:
        uri = set_up(client, ASKING, plan=ASK_PLAN)
        client.show(PATH)
        client.on_question = close
        running = client.begin("executePlan", uri=uri)
        await until(lambda: "> - [ ] warm: Warm" in client.text(PATH))
        client.type(uri, client.text(PATH).replace("[ ] warm", "[x] warm"))
        await client.click(await client.lens(uri, "Answer"))
        assert (await running).status == "success"
        assert client.text("farewell.txt") == "warm\n"


async def test_a_dismissed_confirmation_executes_nothing(tmp_path: Path) -> None:
    async with planact_client(tmp_path, PLAIN) as client:
        uri = set_up(client)
        asked, client.on_question = clicking(None)
        running = client.begin("executePlan", uri=uri)
        await until(lambda: len(asked) == 1)
        [question] = (await client.do("listQuestions")).questions
        assert (await client.do("listExecutions")).executions == ()
        await client.do("answerQuestion", question_id=question.question_id, answers={"execute": False})
        assert "was not executed" in (await failure(running))[1]
        assert client.text(PATH) == PLAN


async def test_declining_is_a_button_too(tmp_path: Path) -> None:
    async with planact_client(tmp_path, PLAIN) as client:
        uri = set_up(client, ASKING, plan=ASK_PLAN)
        _, client.on_question = clicking("Execute Plan", "Decline")
        await client.do("executePlan", uri=uri)
        assert client.text("farewell.txt") == "The user declined to answer. Decide yourself, or stop.\n"


async def test_what_needs_words_is_answered_by_command(tmp_path: Path) -> None:
    asked = {"name": "name", "question": "What is your name 👋?"}
    async with planact_client(tmp_path, PLAIN) as client:
        set_up(
            client,
            scene("", calls(call("ask_user", questions=[asked])), say("Hi.", expect=[{"in": "tool", "text": "𝄞"}])),
        )
        working = client.begin("sendMessage", text="ask")
        await until(lambda: len(client.messages) == 1)
        [question] = (await client.do("listQuestions")).questions
        assert client.messages[0].message == (
            "What is your name 👋?\n"
            f"To answer, run the command planact.answerQuestion with question_id {question.question_id}."
        )
        await client.answer(question, name="𝄞")
        assert (await working).text == "Hi."


async def test_a_client_whose_dialogs_fail_is_told_how_to_answer(tmp_path: Path) -> None:
    async def fail(_: types.ShowMessageRequestParams) -> Any:
        raise ValueError(BROKEN)

    async with planact_client(tmp_path, BARE) as client:
        set_up(client, scene("", calls(call("ask_user", questions=[ASKED])), say("Thanks.")))
        client.on_question = fail
        working = client.begin("sendMessage", text="ask")
        await until(lambda: len(client.messages) == 1)
        [question] = (await client.do("listQuestions")).questions
        assert question.question_id in client.messages[0].message
        assert "Which 🎵 tone?" in client.messages[0].message
        await client.answer(question, tone="warm")
        assert (await working).text == "Thanks."


async def test_a_question_answered_elsewhere_is_taken_back_from_the_screen(tmp_path: Path) -> None:
    shown, closed = asyncio.Event(), asyncio.Event()

    async def wait(_: types.ShowMessageRequestParams) -> Any:
        shown.set()
        try:
            await asyncio.sleep(600)
        finally:
            closed.set()

    async with planact_client(tmp_path, PLAIN) as client:
        set_up(client, scene("", calls(call("ask_user", questions=[ASKED])), say("Thanks.")))
        client.on_question = wait
        working = client.begin("sendMessage", text="ask")
        await asyncio.wait_for(shown.wait(), LIMIT)
        [question] = (await client.do("listQuestions")).questions
        await client.answer(question, tone="warm")
        assert (await working).text == "Thanks."
        await asyncio.wait_for(closed.wait(), LIMIT)


async def test_a_client_that_can_do_nothing_extra_goes_the_whole_road(tmp_path: Path) -> None:
    async with planact_client(tmp_path, BARE) as client:
        set_up(client, PLANNING, FIRST, SECOND)
        (client.root / PATH).unlink()
        made = await client.do("generatePlan", request="greet them 👋")
        client.show(made.path)
        assert "Execute Plan" in await client.titles(made.uri)
        [action] = [action for action in await client.actions(made.uri) if action.title == "Execute Plan"]
        run = await client.click(action)
        assert run.status == "success"
        assert (client.text("greeting.txt"), client.text("farewell.txt")) == (HELLO, FAREWELL)
        assert (client.edits, client.notices, client.saves, client.progress_reports, client.refreshes) == (
            [],
            [],
            [],
            {},
            0,
        )
        assert [message.message for message in client.messages] == []
        # Its window can't be marked, so the plan is shown as it is on disk once it is closed.
        client.close(made.uri)
        assert [step.status for step in run.steps] == [StepStatus.DONE, StepStatus.DONE]
        assert (await client.do("listExecutions")).executions == (run,)


async def test_a_closed_plan_is_marked_on_disk_in_any_client(tmp_path: Path) -> None:
    async with planact_client(tmp_path, BARE) as client:
        uri = set_up(client)
        await client.approve(uri)
        await client.do("executePlan", uri=uri)
        assert client.marks(PATH) == [StepStatus.DONE, StepStatus.DONE]
