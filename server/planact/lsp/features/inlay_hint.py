"""`textDocument/inlayHint`: behind each step of a plan that is over, what came of it."""

import asyncio

from lsprotocol import types

from planact.base.errors import PlanactError
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.plan.ide.inlay_hints import inlay_hints
from planact.workflows.explain_plan import last_records


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=False))
    async def on_inlay_hint(ls: PlanactServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return None
        try:
            ws, path = await host_of(ls).find(document.uri)
            records = await asyncio.to_thread(last_records, ws, path, document.plan)
        except PlanactError:
            return []
        return [
            types.InlayHint(
                document.index.position(hint.offset), hint.label, tooltip=hint.tooltip or None, padding_left=True
            )
            for hint in inlay_hints(document.plan, records, document.index.span(params.range))
        ]
