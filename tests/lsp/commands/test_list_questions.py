"""`planact.listQuestions`: what waits for an answer, the oldest first, in all folders."""

import asyncio

import pytest

from tests.lsp.commands.greetings import ASKED, set_up
from tests.lsp.commands.planact_client import PlanactClient, call, calls, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_questions_of_all_sessions_are_listed_as_they_were_shown(client: PlanactClient) -> None:
    set_up(client, scene("", calls(call("ask_user", questions=[ASKED])), say("Thanks.")))
    assert (await client.do("listQuestions")).questions == ()
    working = []
    for number in (1, 2):
        session = await client.do("newSession")
        working.append(client.begin("sendMessage", session_id=session.id, text="ask"))
        await client.question(number)
    shown = tuple([await client.question(number) for number in (1, 2)])
    assert (await client.do("listQuestions")).questions == shown
    # Another folder of the same window doesn't hide them.
    other = client.root / "other"
    other.mkdir()
    client.change_folders(added=[other])
    assert (await client.do("listQuestions")).questions == shown
    for question in shown:
        await client.answer(question, tone="warm")
    assert [ended.text for ended in await asyncio.gather(*working)] == ["Thanks.", "Thanks."]
