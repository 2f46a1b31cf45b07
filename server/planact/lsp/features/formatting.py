"""`textDocument/formatting` and `rangeFormatting` of plans; one that is approved or running keeps its text."""

import asyncio
from collections.abc import Sequence

from lsprotocol import types

from planact.base.span import TextEdit, apply_edits
from planact.lsp.documents.open_documents import Document, text_edits
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.plan.ide.formatting import formatting, formatting_of


def register(server: PlanactServer) -> None:
    """Register both handlers."""

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def on_formatting(ls: PlanactServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None or not await host_of(ls).may_format(document):
            return None
        return await _formatted(ls, document, formatting(document.plan))

    @server.feature(types.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def on_range_formatting(
        ls: PlanactServer, params: types.DocumentRangeFormattingParams
    ) -> list[types.TextEdit] | None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None or not await host_of(ls).may_format(document):
            return None
        return await _formatted(ls, document, formatting_of(document.plan, document.index.span(params.range)))


async def _formatted(ls: PlanactServer, document: Document, edits: Sequence[TextEdit]) -> list[types.TextEdit]:
    """Return the edits for the client, with the resulting text noted as planact's own, not typed by the user."""
    await asyncio.to_thread(ls.documents.note_own_change, document, apply_edits(document.text, edits))
    return text_edits(document, edits)
