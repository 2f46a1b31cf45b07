"""`workspace/textDocumentContent`: revisions as documents that nobody can write into."""

import asyncio
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import LIMIT, failure

pytestmark = pytest.mark.asyncio(loop_scope="session")


def content(client: PlanactClient, uri: str) -> Any:
    params = types.TextDocumentContentParams(uri)
    return asyncio.wait_for(client.workspace_text_document_content_async(params), LIMIT)


async def test_a_revision_is_read_by_its_number_however_the_client_writes_its_address(client: PlanactClient) -> None:
    uri = set_up(client)
    await client.do("revisePlan", uri=uri, feedback="be warm")
    path = uri.removeprefix("file://")
    for address in (f"planact-revision://{path}?1", f"planact-revision:{path}?1"):
        assert (await content(client, address)).text == PLAN
    assert (await content(client, f"planact-revision:{path}?2")).text == client.text("greet.plan")


async def test_nothing_else_is_read_so(client: PlanactClient) -> None:
    path = set_up(client).removeprefix("file://")
    for address, code in [
        (f"planact-revision:{path}?9", "REVISION_NOT_FOUND"),
        (f"planact-revision:{path}?0", "REVISION_NOT_FOUND"),
        (f"planact-revision:{path}", "REVISION_NOT_FOUND"),
        (f"file:{path}?1", "REVISION_NOT_FOUND"),
        ("planact-revision:/etc/passwd?1", "NO_WORKSPACE"),
        (f"planact-revision:{path}/../../x?1", "REVISION_NOT_FOUND"),
    ]:
        assert (await failure(content(client, address)))[0] == code, address
