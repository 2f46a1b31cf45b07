"""`textDocument/foldingRange`: front matter, sections, steps and comments of a plan."""

import asyncio

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import PATH, PLAN
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def shown(client: PlanactClient, uri: str) -> list[tuple[int, int, str]] | None:
    params = types.FoldingRangeParams(types.TextDocumentIdentifier(uri))
    found = await asyncio.wait_for(client.text_document_folding_range_async(params), LIMIT)
    return None if found is None else [(fold.start_line, fold.end_line, kind(fold)) for fold in found]


def kind(fold: types.FoldingRange) -> str:
    return str(getattr(fold.kind, "value", fold.kind))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_a_plan_folds(client: PlanactClient, line_end: str) -> None:
    uri = client.show(PATH, (PLAN + "> warmer\n> please\n").replace("\n", line_end))
    lines = PLAN.splitlines()
    first, second = (lines.index(line) for line in lines if line.startswith("- ["))
    last = len(lines) + 1
    assert await shown(client, uri) == [
        (0, 4, "imports"),
        (lines.index("## Steps"), last, "region"),
        (first, second - 1, "region"),
        (second, last, "region"),
        (last - 1, last, "comment"),
    ]


async def test_other_documents_fold_as_their_language_does(client: PlanactClient) -> None:
    assert await shown(client, client.show("a.md", PLAN)) is None
