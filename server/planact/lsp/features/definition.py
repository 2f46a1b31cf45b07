"""`textDocument/definition`: from a path in a plan to the file, and the line if it names one."""

import asyncio

from lsprotocol import types

from planact.base.errors import PlanactError
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.plan.references import File, subject_at


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(ls: PlanactServer, params: types.DefinitionParams) -> types.Location | None:
        document = ls.documents.plan(params.text_document.uri)
        if document is None:
            return None
        subject = subject_at(document.plan, document.index.offset(params.position))
        try:
            ws, _ = await host_of(ls).workspaces.locate(document.uri)
        except PlanactError:
            return None
        if not isinstance(subject, File):
            return None
        if not await asyncio.to_thread(ws.ports.files.exists, subject.reference.path):
            return None
        start = types.Position(max(0, (subject.reference.line or 1) - 1), 0)
        return types.Location(host_of(ls).workspaces.uri(ws, subject.reference.path), types.Range(start, start))
