"""`textDocument/documentLink`: the files that a plan names."""

import asyncio

from lsprotocol import types

from planact.base.errors import PlanactError
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.plan.ide.links import links


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK, types.DocumentLinkOptions(resolve_provider=False))
    async def on_document_link(ls: PlanactServer, params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return []
        try:
            ws, _ = await host_of(ls).workspaces.locate(document.uri)
        except PlanactError:
            return []
        named = await asyncio.to_thread(lambda: tuple(links(document.plan, ws.ports.files.exists)))
        return [
            types.DocumentLink(
                document.index.range(file.span),
                host_of(ls).workspaces.uri(ws, file.path) + (f"#L{file.line}" if file.line else ""),
            )
            for file in named
        ]
