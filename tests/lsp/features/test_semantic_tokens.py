"""`textDocument/semanticTokens`: the words of a plan, told apart from its text."""

import asyncio

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import PATH, PLAN
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")

Shown = list[tuple[str, str, list[str]]]


def decoded(client: PlanactClient, uri: str, found: types.SemanticTokens) -> Shown:
    """Text, kind and modifiers of each, as a client reads the numbers."""
    provider = client.answer_to_initialize.capabilities.semantic_tokens_provider
    assert isinstance(provider, types.SemanticTokensOptions)
    legend, numbers = provider.legend, list(found.data)
    line = start = 0
    shown: Shown = []
    for at in range(0, len(numbers), 5):
        lines, units, length, kind, bits = numbers[at : at + 5]
        line, start = line + lines, units if lines else start + units
        place = types.Range(types.Position(line, start), types.Position(line, start + length))
        modifiers = [word for number, word in enumerate(legend.token_modifiers) if bits & 1 << number]
        shown.append((client.shown_at(uri, place), legend.token_types[kind], modifiers))
    return shown


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_words_and_names_are_found_in_the_clients_own_way(client: PlanactClient, line_end: str) -> None:
    text = PLAN.replace("- [ ] 2. 👋", "- [x] 2. 👋 {{😀}} `😀.py` {{x}}").replace("tools: create", "tools: 😀, create")
    uri = client.show(PATH, text.replace("\n", line_end))
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    found = await asyncio.wait_for(client.text_document_semantic_tokens_full_async(params), LIMIT)
    assert found
    shown = decoded(client, uri, found)
    assert shown[:5] == [
        ("format_version", "property", []),
        ("id", "property", []),
        ("status", "property", []),
        ("draft", "enumMember", []),
        ("Steps", "keyword", []),
    ]
    assert shown[-11:] == [
        ("x", "enumMember", ["done"]),
        ("2", "number", []),
        ("😀.py", "string", []),
        ("{{x}}", "parameter", []),
        ("farewell.txt", "string", []),
        ("reason", "property", []),
        ("tools", "property", []),
        ("😀", "function", []),
        ("create_file", "function", []),
        ("files", "property", []),
        ("farewell.txt", "string", []),
    ]


async def test_a_range_is_told_alone(client: PlanactClient) -> None:
    uri = client.show(PATH, PLAN)
    line = PLAN[: PLAN.index("- [ ] 2.")].count("\n")
    place = types.Range(types.Position(line, 0), types.Position(line, 3))
    params = types.SemanticTokensRangeParams(types.TextDocumentIdentifier(uri), place)
    found = await asyncio.wait_for(client.text_document_semantic_tokens_range_async(params), LIMIT)
    assert found
    assert decoded(client, uri, found) == [(" ", "enumMember", [])]


async def test_other_documents_keep_their_own(client: PlanactClient) -> None:
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(client.show("a.md", PLAN)))
    assert await asyncio.wait_for(client.text_document_semantic_tokens_full_async(params), LIMIT) is None
