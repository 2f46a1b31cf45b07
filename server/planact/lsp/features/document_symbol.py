"""`textDocument/documentSymbol`: the goal, the sections and the steps of a plan."""

from lsprotocol import types

from planact.lsp.documents import Document
from planact.lsp.server import PlanactServer
from planact.plan.ide.symbols import Symbol, symbols

_KINDS = {
    "goal": types.SymbolKind.File,
    "section": types.SymbolKind.Namespace,
    "step": types.SymbolKind.Method,
}


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def on_document_symbol(ls: PlanactServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return []
        return [_converted(document, symbol) for symbol in symbols(document.plan)]


def _converted(document: Document, symbol: Symbol) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind],
        range=document.index.range(symbol.span),
        selection_range=document.index.range(symbol.name_span),
        children=[_converted(document, child) for child in symbol.children],
    )
