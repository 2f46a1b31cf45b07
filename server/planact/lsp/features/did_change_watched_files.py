"""`workspace/didChangeWatchedFiles`: what the client saw happen to files that open plans rest on."""

from lsprotocol import types

from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def on_did_change_watched_files(ls: PlanactServer, params: types.DidChangeWatchedFilesParams) -> None:
        host_of(ls).freshness.told_by_client([event.uri for event in params.changes])
