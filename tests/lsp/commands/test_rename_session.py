"""`planact.renameSession`: another title, in one line."""

import pytest

from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_session_has_another_title_from_then_on(client: PlanactClient) -> None:
    session = await client.do("newSession")
    renamed = await client.do("renameSession", session_id=session.id, title="Greet\n the 🌍")
    assert renamed.title == "Greet the 🌍"
    assert [each.title for each in (await client.do("listSessions")).sessions] == ["Greet the 🌍"]


async def test_a_session_needs_a_title(client: PlanactClient) -> None:
    session = await client.do("newSession")
    assert (await client.refusal("renameSession", session_id=session.id, title=""))[0] == "INVALID_ARGUMENTS"
