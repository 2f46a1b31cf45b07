"""`workspace/textDocumentContent`: what a plan said before, for clients that show documents which are no files."""

from lsprotocol import types

from planact.base.errors import NotFound
from planact.lsp.convert import revision_of
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.workflows.revisions import revision_text


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def on_text_document_content(
        ls: PlanactServer, params: types.TextDocumentContentParams
    ) -> types.TextDocumentContentResult:
        named = revision_of(params.uri)
        if named is None:
            raise NotFound("REVISION_NOT_FOUND", f"{params.uri} is no revision of a plan", "Run planact.diffPlan.")
        ws, path = host_of(ls).locate(named[0])
        return types.TextDocumentContentResult(revision_text(ws, path, named[1]))
