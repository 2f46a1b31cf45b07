"""`workspace/textDocumentContent`: earlier texts of plans and files, for clients that show virtual documents."""

from lsprotocol import types

from planact.base.errors import NotFound
from planact.lsp.documents.convert import parse_content_uri, parse_revision_uri
from planact.lsp.host.workspace_host import Host, host_of
from planact.lsp.server import PlanactServer
from planact.workflows.history.step_changes import kept_text
from planact.workflows.plans.revisions import revision_text


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def on_text_document_content(
        ls: PlanactServer, params: types.TextDocumentContentParams
    ) -> types.TextDocumentContentResult:
        if kept := parse_content_uri(params.uri):
            return types.TextDocumentContentResult(_kept(host_of(ls), *kept))
        named = parse_revision_uri(params.uri)
        if named is None:
            raise NotFound("REVISION_NOT_FOUND", f"{params.uri} is no revision of a plan", "Run planact.diffPlan.")
        ws, path = await host_of(ls).workspaces.locate(named[0])
        return types.TextDocumentContentResult(revision_text(ws, path, named[1]))


def _kept(host: Host, path: str, sha256: str) -> str:
    """Return a text by its SHA-256, from any folder that has it."""
    workspaces = host.workspaces.all()
    if not workspaces:
        raise NotFound("NO_WORKSPACE", "no folder is open", "Open the folder that the file is in.")
    knows = (ws for ws in workspaces if sha256 and ws.ports.journal.kept(sha256) is not None)
    return kept_text(next(knows, workspaces[0]), path, sha256)
