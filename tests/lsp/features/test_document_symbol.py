"""`textDocument/documentSymbol`: the goal, the sections and the steps of a plan."""

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import PATH, PLAN
from tests.lsp.commands.planact_client import PlanactClient, planact_client
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def symbols(client: PlanactClient, uri: str) -> list[types.DocumentSymbol]:
    asking = client.text_document_document_symbol_async(types.DocumentSymbolParams(types.TextDocumentIdentifier(uri)))
    found = await asyncio.wait_for(asking, LIMIT) or ()
    return [symbol for symbol in found if isinstance(symbol, types.DocumentSymbol)]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_a_plan_is_outlined(client: PlanactClient, line_end: str) -> None:
    text = PLAN.replace("\n", line_end)
    uri = client.show(PATH, text)
    [goal] = await symbols(client, uri)
    [section] = goal.children or ()
    steps = section.children or ()
    assert [goal.name, section.name] == ["Greet the 🌍 politely", "Steps"]
    assert [step.name for step in steps] == ["1. 😀 Say hello in `greeting.txt`", "2. 👋 Write `farewell.txt`"]
    names = [client.shown_at(uri, symbol.selection_range) for symbol in (goal, section, *steps)]
    assert names == ["Greet the 🌍 politely", "Steps", "😀 Say hello in `greeting.txt`", "👋 Write `farewell.txt`"]
    second = client.shown_at(uri, steps[1].range)
    assert second.startswith("- [ ] 2. 👋")
    assert second.rstrip().endswith("files: farewell.txt")


async def test_other_documents_have_none(client: PlanactClient) -> None:
    assert await symbols(client, client.show("a.md", PLAN)) == []
    assert await symbols(client, client.uri("closed.plan")) == []


async def test_a_client_that_knows_no_tree_gets_a_list(tmp_path: Path) -> None:
    async with planact_client(tmp_path, types.ClientCapabilities()) as client:
        uri = client.show(PATH, PLAN)
        asking = client.text_document_document_symbol_async(
            types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
        )
        found = [(symbol.name, symbol.container_name) for symbol in await asyncio.wait_for(asking, LIMIT)]
        assert found == [
            ("Greet the 🌍 politely", None),
            ("Steps", "Greet the 🌍 politely"),
            ("1. 😀 Say hello in `greeting.txt`", "Steps"),
            ("2. 👋 Write `farewell.txt`", "Steps"),
        ]
