"""`textDocument/documentSymbol`: the goal, the sections and the steps of a plan, a list for clients without trees."""

from collections.abc import Iterator, Sequence

from lsprotocol import types

from planact.lsp.documents.open_documents import Document
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
    async def on_document_symbol(
        ls: PlanactServer, params: types.DocumentSymbolParams
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return []
        found = symbols(document.plan)
        if not ls.client.nested_symbols:
            return list(_listed(document, found))
        return [_converted(document, symbol) for symbol in found]


def _converted(document: Document, symbol: Symbol) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        name=symbol.name,
        kind=_KINDS[symbol.kind],
        range=document.index.range(symbol.span),
        selection_range=document.index.range(symbol.name_span),
        children=[_converted(document, child) for child in symbol.children],
    )


def _listed(
    document: Document, found: Sequence[Symbol], inside: str | None = None
) -> Iterator[types.SymbolInformation]:
    for symbol in found:
        location = types.Location(document.uri, document.index.range(symbol.span))
        yield types.SymbolInformation(location, symbol.name, _KINDS[symbol.kind], container_name=inside)
        yield from _listed(document, symbol.children, symbol.name)
