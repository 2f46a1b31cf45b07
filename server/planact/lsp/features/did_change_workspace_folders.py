"""`workspace/didChangeWorkspaceFolders`: folders came or went."""

from lsprotocol import types

from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def on_did_change_workspace_folders(ls: PlanactServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        host_of(ls).change_folders(params.event)
        host_of(ls).judge_again()
