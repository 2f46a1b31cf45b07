"""`workspace/didChangeConfiguration`: the editor's settings changed.

An empty object says nothing: eglot sends one after `initialize`, which brought the settings.
"""

from lsprotocol import types

from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def on_did_change_configuration(ls: PlanactServer, params: types.DidChangeConfigurationParams) -> None:
        if isinstance(params.settings, dict) and params.settings:
            host_of(ls).use_settings(params.settings)
            host_of(ls).judge_again()
