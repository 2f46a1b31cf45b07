"""`workspace/textDocumentContent`: what plans and files said before, for clients that show what is in no file."""

from lsprotocol import types

from planact.base.errors import NotFound
from planact.lsp.convert import kept_of, revision_of
from planact.lsp.host import Host, host_of
from planact.lsp.server import PlanactServer
from planact.workflows.kept_texts import kept_text
from planact.workflows.revisions import revision_text


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)
    async def on_text_document_content(
        ls: PlanactServer, params: types.TextDocumentContentParams
    ) -> types.TextDocumentContentResult:
        if kept := kept_of(params.uri):
            return types.TextDocumentContentResult(_kept(host_of(ls), *kept))
        named = revision_of(params.uri)
        if named is None:
            raise NotFound("REVISION_NOT_FOUND", f"{params.uri} is no revision of a plan", "Run planact.diffPlan.")
        ws, path = await host_of(ls).find(named[0])
        return types.TextDocumentContentResult(revision_text(ws, path, named[1]))


def _kept(host: Host, path: str, sha256: str) -> str:
    """From the folder that has it: content is named by what it says, whoever kept it."""
    workspaces = host.workspaces()
    if not workspaces:
        raise NotFound("NO_WORKSPACE", "no folder is open", "Open the folder that the file is in.")
    knows = (ws for ws in workspaces if sha256 and ws.ports.journal.kept(sha256) is not None)
    return kept_text(next(knows, workspaces[0]), path, sha256)
