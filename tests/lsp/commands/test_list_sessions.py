"""`planact.listSessions`: the conversations of a folder, the last used first."""

import pytest

from tests.lsp.commands.greetings import set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, planact_client, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_last_used_comes_first(client: PlanactClient) -> None:
    set_up(client, scene("", say("Yes 👋.")))
    assert (await client.do("listSessions")).sessions == ()
    first, second = await client.do("newSession"), await client.do("newSession")
    await client.do("sendMessage", session_id=first.id, text="Are you 🎵 there?\nReally?")
    found = (await client.do("listSessions", folder=client.root.as_uri())).sessions
    assert [(session.id, session.title) for session in found] == [(first.id, "Are you 🎵 there?"), (second.id, "")]
    assert found[0].usage.requests == 1


@IN_ONE_ENCODING
async def test_a_new_server_lists_the_same(client: PlanactClient) -> None:
    await client.do("newSession", mode="act")
    listed = await client.do("listSessions")
    async with planact_client(client.root) as other:
        assert await other.do("listSessions") == listed


async def test_listing_makes_nothing(client: PlanactClient) -> None:
    await client.do("listSessions")
    await client.do("listPlans")
    await client.do("listExecutions")
    await client.do("listQuestions")
    await client.do("showStatus")
    assert list(client.root.iterdir()) == []
