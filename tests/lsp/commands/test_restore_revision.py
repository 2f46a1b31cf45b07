"""`planact.restoreRevision`: an earlier text of a plan comes back, in the editor's window if it is open."""

import pytest

from tests.lsp.commands.greetings import PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_text_before_the_revision_comes_back(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.do("revisePlan", uri=uri, feedback="be warm")
    revised = client.texts[uri]
    made = await client.do("restoreRevision", uri=uri, number=1)
    assert (made.path, client.texts[uri]) == (PATH, PLAN)
    await client.do("restoreRevision", uri=uri, number=2)
    assert client.texts[uri] == revised


async def test_a_revision_that_is_not_there_is_told(client: PlanactClient) -> None:
    code, _ = await client.refusal("restoreRevision", uri=set_up(client), number=1)
    assert code == "REVISION_NOT_FOUND"
