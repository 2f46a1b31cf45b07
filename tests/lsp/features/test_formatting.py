"""`textDocument/formatting`: one way to write a plan, as small edits; one that was approved stays as it is."""

import asyncio

import pytest
from lsprotocol import types

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import PATH, PLAN, SLOW, set_up
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")

UNTIDY = PLAN.replace("- [ ] 2. 👋 ", "*  [ ]  2)   👋 ").replace("- files: fare", "-  Files:👋 ,fare")
EXPECTED = PLAN.replace("- files: fare", "- files: 👋, fare")
OPTIONS = types.FormattingOptions(tab_size=8, insert_spaces=False)


async def formatted(client: PlanactClient, uri: str) -> str | None:
    """The text with the edits made; None for none at all."""
    params = types.DocumentFormattingParams(types.TextDocumentIdentifier(uri), OPTIONS)
    edits = await asyncio.wait_for(client.text_document_formatting_async(params), LIMIT)
    if edits is None:
        return None
    client.change(uri, edits)
    return client.texts[uri]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_a_plan_is_written_one_way_whatever_the_editor_thinks_of_tabs(
    client: PlanactClient, line_end: str
) -> None:
    set_up(client)
    uri = client.show(PATH, UNTIDY.replace("\n", line_end))
    assert await formatted(client, uri) == EXPECTED.replace("\n", line_end)


async def test_an_approval_is_not_lost_by_formatting(client: PlanactClient) -> None:
    uri = set_up(client, plan=UNTIDY)
    client.show(PATH)
    await client.approve(uri)
    assert await formatted(client, uri) is None


async def test_what_runs_is_left_alone(client: PlanactClient) -> None:
    uri = set_up(client, SLOW, plan=UNTIDY)
    client.show(PATH)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.until_heard(messages.MESSAGE_DELTA)
    assert await formatted(client, uri) is None
    await client.do("stop")
    await running


async def test_other_documents_are_none_of_our_business(client: PlanactClient) -> None:
    assert await formatted(client, client.show("a.md", UNTIDY)) is None
