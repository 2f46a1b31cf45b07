"""`textDocument/semanticTokens`, full and of a range: the keywords of a plan, apart from its text."""

from lsprotocol import types

from planact.base.span import Span
from planact.lsp.documents.open_documents import Document
from planact.lsp.server import PlanactServer
from planact.plan.ide.semantic_tokens import KINDS, MODIFIERS, semantic_tokens

LEGEND = types.SemanticTokensLegend(list(KINDS), list(MODIFIERS))


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    async def on_semantic_tokens_full(
        ls: PlanactServer, params: types.SemanticTokensParams
    ) -> types.SemanticTokens | None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return None
        return types.SemanticTokens(_encoded(document, Span(0, len(document.text))))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)
    async def on_semantic_tokens_range(
        ls: PlanactServer, params: types.SemanticTokensRangeParams
    ) -> types.SemanticTokens | None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return None
        return types.SemanticTokens(_encoded(document, document.index.span(params.range)))


def _encoded(document: Document, selection: Span) -> list[int]:
    """Return five numbers for each token: lines and units since the last one, length, kind, modifiers as bits."""
    numbers: list[int] = []
    line = start = 0
    for token in semantic_tokens(document.plan, selection):
        at, end = document.index.position(token.span.start), document.index.position(token.span.end)
        if at.line != line:
            start = 0
        modifiers = 1 << MODIFIERS.index(token.modifier) if token.modifier else 0
        length = end.character - at.character
        numbers += (at.line - line, at.character - start, length, KINDS.index(token.kind), modifiers)
        line, start = at.line, at.character
    return numbers
