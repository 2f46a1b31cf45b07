"""`textDocument/foldingRange`: front matter, sections, steps and comments of a plan."""

from lsprotocol import types

from planact.lsp.server import PlanactServer
from planact.plan.ide.folding import folding

_KINDS = {
    "region": types.FoldingRangeKind.Region,
    "comment": types.FoldingRangeKind.Comment,
    "imports": types.FoldingRangeKind.Imports,
}


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def on_folding_range(ls: PlanactServer, params: types.FoldingRangeParams) -> list[types.FoldingRange] | None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return None
        line = document.index.line
        return [
            types.FoldingRange(line(fold.span.start), line(fold.span.end), kind=_KINDS[fold.kind])
            for fold in folding(document.plan)
        ]
