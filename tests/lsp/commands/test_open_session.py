"""`planact.openSession`: an earlier conversation is taken in hand, with its mode and plan, also by a new server."""

import pytest

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import PATH, set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, planact_client

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_commands_without_a_session_mean_the_one_that_was_opened(client: PlanactClient) -> None:
    first = await client.do("newSession", mode="act")
    await client.do("newSession")
    assert await client.do("openSession", session_id=first.id) == first
    assert (await client.do("showStatus")).session == first
    assert client.heard(messages.MODE_CHANGED)[-1].session_id == first.id


@IN_ONE_ENCODING
async def test_mode_and_plan_outlive_the_server(client: PlanactClient) -> None:
    run = await client.execute(uri=set_up(client))
    async with planact_client(client.root) as other:
        session = await other.do("openSession", session_id=run.session_id)
        assert (session.mode, session.role, session.plan_file) == ("act", "actor", PATH)
        assert (await other.do("showStatus")).session == session
        told = other.heard(messages.MODE_CHANGED)
        assert [(notice.mode, notice.plan_file) for notice in told] == [("act", PATH)]


async def test_an_unknown_session_is_told(client: PlanactClient) -> None:
    assert await client.refusal("openSession", session_id="none") == ("SESSION_NOT_FOUND", "there is no session none")
