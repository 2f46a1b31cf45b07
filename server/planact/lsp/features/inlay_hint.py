"""`textDocument/inlayHint`: the result behind each finished step of a plan, and the files that only text names."""

import asyncio

from lsprotocol import types

from planact.base.errors import PlanactError
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.plan.ide.inlay_hints import implied_hints, inlay_hints
from planact.workflows.history.explain_plan import last_records
from planact.workflows.plans.implied_files import implied_in_tree


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=False))
    async def on_inlay_hint(ls: PlanactServer, params: types.InlayHintParams) -> list[types.InlayHint] | None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return None
        try:
            ws, path = await host_of(ls).workspaces.locate(document.uri)
            records = await asyncio.to_thread(last_records, ws, path, document.plan)
            implied = await asyncio.to_thread(implied_in_tree, ws, path, document.plan)
        except PlanactError:
            return []
        selection = document.index.span(params.range)
        hints = (
            *inlay_hints(document.plan, records, selection),
            *implied_hints(document.plan, implied, selection),
        )
        return [
            types.InlayHint(
                document.index.position(hint.offset), hint.label, tooltip=hint.tooltip or None, padding_left=True
            )
            for hint in hints
        ]
