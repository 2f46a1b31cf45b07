"""`textDocument/rangeFormatting`: the same for the steps and headings that a selection touches."""

from lsprotocol import types

from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.lsp.workspace_edit import text_edits
from planact.plan.ide.formatting import formatting_of


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def on_range_formatting(
        ls: PlanactServer, params: types.DocumentRangeFormattingParams
    ) -> list[types.TextEdit] | None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None or not await host_of(ls).may_format(document):
            return None
        return text_edits(document, formatting_of(document.plan, document.index.span(params.range)))
