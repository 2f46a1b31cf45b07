"""`initialize` and `initialized`: the folders and the editor's settings, then the start of slow work; then settings,
folders, watched files and the user's trust, when they change.

`initialize` is answered before slow imports; the handler here runs after them.
"""

from lsprotocol import types

from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol import messages
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Register the six handlers."""

    @server.feature(types.INITIALIZE)
    def on_initialize(ls: PlanactServer, params: types.InitializeParams) -> None:
        host_of(ls).initialize(params)

    @server.feature(types.INITIALIZED)
    async def on_initialized(ls: PlanactServer, _params: types.InitializedParams) -> None:
        host_of(ls).begin()
        await ls.register_features()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def on_did_change_configuration(ls: PlanactServer, params: types.DidChangeConfigurationParams) -> None:
        # An empty object carries no settings: eglot sends one after `initialize`, which brought them.
        if isinstance(params.settings, dict) and params.settings:
            host_of(ls).use_settings(params.settings)
            host_of(ls).refresh_problems()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def on_did_change_workspace_folders(ls: PlanactServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        host_of(ls).change_folders(params.event)
        host_of(ls).refresh_problems()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def on_did_change_watched_files(ls: PlanactServer, params: types.DidChangeWatchedFilesParams) -> None:
        host_of(ls).freshness.handle_watched_files([event.uri for event in params.changes])

    @server.feature(messages.WORKSPACE_TRUST)
    async def on_workspace_trust(ls: PlanactServer, trust: messages.WorkspaceTrust) -> messages.WorkspaceTrust:
        host_of(ls).app.settings.is_restricted = not trust.is_trusted
        host_of(ls).refresh_problems()
        return trust
