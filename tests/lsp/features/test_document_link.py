"""`textDocument/documentLink`: the files that a plan names."""

import asyncio

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def shown(client: PlanactClient, uri: str) -> list[tuple[str, str | None]]:
    params = types.DocumentLinkParams(types.TextDocumentIdentifier(uri))
    found = await asyncio.wait_for(client.text_document_document_link_async(params), LIMIT) or ()
    return [(client.shown_at(uri, link.range), link.target) for link in found]


async def test_files_that_are_there_are_links(client: PlanactClient) -> None:
    set_up(client)
    target = client.write("👋/😀 x.txt", "")
    uri = client.show(PATH, PLAN.replace("- files: greeting.txt", "- files: 🌍.txt, `👋/😀 x.txt:7`, greeting.txt"))
    assert await shown(client, uri) == [
        ("greeting.txt", client.uri("greeting.txt")),
        ("👋/😀 x.txt:7", f"{target}#L7"),
        ("greeting.txt", client.uri("greeting.txt")),
    ]


@pytest.mark.parametrize("uri", ["file:///nowhere/x.plan", "untitled:new.plan", ""])
async def test_other_documents_and_plans_outside_the_folder_have_none(client: PlanactClient, uri: str) -> None:
    set_up(client)
    assert await shown(client, client.show("a.md", PLAN, uri=uri)) == []
