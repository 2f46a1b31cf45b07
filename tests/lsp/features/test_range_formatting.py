"""`textDocument/rangeFormatting`: the steps and headings that a selection touches."""

import asyncio

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")

OPTIONS = types.FormattingOptions(tab_size=4, insert_spaces=True)


@pytest.mark.parametrize(
    ("path", "old", "expected"),
    [
        (PATH, "👋‸", PLAN.replace("- [ ] 1.", "* [ ] 1.")),
        (PATH, "😀‸", PLAN.replace("- [ ] 2.", "* [ ] 2.")),
        ("a.md", "😀‸", None),
    ],
)
async def test_only_the_step_at_the_cursor_is_formatted(
    client: PlanactClient, path: str, old: str, expected: str | None
) -> None:
    set_up(client)
    text = PLAN.replace("- [ ]", "* [ ]")
    uri = client.show(path, text)
    place = client.position(text.replace(old.strip("‸"), old))
    params = types.DocumentRangeFormattingParams(types.TextDocumentIdentifier(uri), types.Range(place, place), OPTIONS)
    edits = await asyncio.wait_for(client.text_document_range_formatting_async(params), LIMIT)
    assert (edits is None) == (expected is None)
    if edits is not None:
        client.change(uri, edits)
        assert client.texts[uri] == expected
