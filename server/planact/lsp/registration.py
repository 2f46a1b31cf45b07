"""Features that are about plans alone are registered for `*.plan` where the client lets us.

What is declared for all languages would give each of them a second formatter, and no folding by indentation.
"""

from collections.abc import Callable
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability

PLANS = [types.TextDocumentFilterPattern("**/*.plan")]

FEATURES: dict[str, tuple[str, str]] = {
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: ("document_symbol_provider", "document_symbol"),
    types.TEXT_DOCUMENT_HOVER: ("hover_provider", "hover"),
    types.TEXT_DOCUMENT_COMPLETION: ("completion_provider", "completion"),
    types.TEXT_DOCUMENT_DEFINITION: ("definition_provider", "definition"),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: ("document_link_provider", "document_link"),
    types.TEXT_DOCUMENT_FOLDING_RANGE: ("folding_range_provider", "folding_range"),
    types.TEXT_DOCUMENT_FORMATTING: ("document_formatting_provider", "formatting"),
    types.TEXT_DOCUMENT_RANGE_FORMATTING: ("document_range_formatting_provider", "range_formatting"),
    "textDocument/semanticTokens": ("semantic_tokens_provider", "semantic_tokens"),
    types.TEXT_DOCUMENT_INLAY_HINT: ("inlay_hint_provider", "inlay_hint"),
}
"""By method: the attribute of the server's capabilities, and of the client's for text documents."""


def withhold(
    capabilities: types.ServerCapabilities, client: types.ClientCapabilities, unstructure: Callable[[Any], Any]
) -> tuple[types.Registration, ...]:
    """Take out of the server's capabilities what the client lets us register later, and return the registrations."""
    found: list[types.Registration] = []
    for method, (provider, feature) in FEATURES.items():
        options = getattr(capabilities, provider)
        if options and get_capability(client, f"text_document.{feature}.dynamic_registration", False):
            setattr(capabilities, provider, None)
            said = {} if options is True else unstructure(options)
            found.append(types.Registration(method, method, {**said, "documentSelector": unstructure(PLANS)}))
    return tuple(found)
