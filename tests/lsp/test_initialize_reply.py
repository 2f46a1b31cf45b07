"""Features about plans alone are registered for plans, where the client lets the server do that."""

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from planact.lsp.server import new_converter
from planact.lsp.wire.initialize_reply import PROVIDERS
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="module")


def dynamic() -> types.ClientCapabilities:
    """A client that lets the server register everything later but hover."""
    capabilities = full()
    text_document = capabilities.text_document
    assert text_document
    text_document.document_symbol = types.DocumentSymbolClientCapabilities(
        dynamic_registration=True, hierarchical_document_symbol_support=True
    )
    text_document.completion = types.CompletionClientCapabilities(dynamic_registration=True)
    text_document.definition = types.DefinitionClientCapabilities(dynamic_registration=True)
    text_document.document_link = types.DocumentLinkClientCapabilities(dynamic_registration=True)
    text_document.folding_range = types.FoldingRangeClientCapabilities(dynamic_registration=True)
    text_document.formatting = types.DocumentFormattingClientCapabilities(dynamic_registration=True)
    text_document.range_formatting = types.DocumentRangeFormattingClientCapabilities(dynamic_registration=True)
    text_document.inlay_hint = types.InlayHintClientCapabilities(dynamic_registration=True)
    text_document.semantic_tokens = types.SemanticTokensClientCapabilities(
        types.ClientSemanticTokensRequestOptions(full=True), [], [], [], dynamic_registration=True
    )
    return capabilities


def providers(client: PlanactClient) -> dict[str, bool]:
    said = new_converter().unstructure(client.answer_to_initialize.capabilities)
    return {method: bool(said.get(provider)) for method, (provider, _) in PROVIDERS.items()}


async def test_what_is_registered_later_is_for_plans_and_not_declared_at_first(tmp_path: Path) -> None:
    async with planact_client(tmp_path, dynamic()) as client:
        await until(lambda: bool(client.registered))
        assert providers(client) == {method: method == types.TEXT_DOCUMENT_HOVER for method in PROVIDERS}
        assert {each.method for each in client.registered} == set(PROVIDERS) - {types.TEXT_DOCUMENT_HOVER}
        options: list[Any] = [each.register_options for each in client.registered]
        assert [each["documentSelector"] for each in options] == [[{"pattern": "**/*.plan"}]] * len(options)
        [completion] = [each for each in client.registered if each.method == types.TEXT_DOCUMENT_COMPLETION]
        assert "[" in completion.register_options["triggerCharacters"]


async def test_a_client_that_registers_nothing_gets_them_declared(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as client:
        assert providers(client) == dict.fromkeys(PROVIDERS, True)
        await client.do("showStatus")
        assert client.registered == []
