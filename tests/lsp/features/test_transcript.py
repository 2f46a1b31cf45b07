"""`planact/transcript`: a session's messages, page by page from the end."""

import asyncio
from typing import Any

import pytest

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, planact_client, say, scene
from tests.lsp.editor_client import LIMIT, failure

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def page(client: PlanactClient, **params: Any) -> messages.Transcript:
    answer = await asyncio.wait_for(client.protocol.send_request_async(messages.TRANSCRIPT, params), LIMIT)
    result = messages.Transcript.model_validate(answer)
    assert result.model_dump(mode="json", by_alias=True) == answer
    return result


async def test_all_messages_come_page_by_page_from_the_end(client: PlanactClient) -> None:
    set_up(client, scene("(.+)", say("Yes 👋.")))
    for word in ("one", "two 🌍", "three"):
        session_id = (await client.do("sendMessage", text=word)).session_id
    last = await page(client, limit=4)
    assert [(message.role, message.content) for message in last.messages] == [
        ("user", "two 🌍"),
        ("assistant", "Yes 👋."),
        ("user", "three"),
        ("assistant", "Yes 👋."),
    ]
    assert (last.session_id, last.has_earlier) == (session_id, True)
    first = await page(client, session_id=session_id, before=last.messages[0].id)
    assert [message.content for message in first.messages] == ["one", "Yes 👋."]
    assert first.has_earlier is False
    assert (*first.messages, *last.messages) == tuple(client.heard(messages.MESSAGE))


@IN_ONE_ENCODING
async def test_it_outlives_the_server(client: PlanactClient) -> None:
    set_up(client, scene("", say("Yes 👋.")))
    session_id = (await client.do("sendMessage", text="one")).session_id
    before = await page(client, session_id=session_id)
    async with planact_client(client.root) as other:
        assert await page(other, session_id=session_id) == before


@pytest.mark.parametrize(
    ("params", "code", "why"),
    [
        ({"session_id": "none"}, "SESSION_NOT_FOUND", "there is no session none"),
        ({"limit": 0}, "INVALID_ARGUMENTS", "limit: Input should be greater than or equal to 1"),
        ({"limit": 501}, "INVALID_ARGUMENTS", "limit: Input should be less than or equal to 500"),
        ({"after": "x"}, "INVALID_ARGUMENTS", "after: Extra inputs are not permitted"),
        ({"before": 1}, "INVALID_ARGUMENTS", "before: Input should be a valid string"),
    ],
)
async def test_what_makes_no_sense_is_told(client: PlanactClient, params: Any, code: str, why: str) -> None:
    found, message, hint = await failure(page(client, **params))
    assert found == code
    assert why in message
    assert hint
