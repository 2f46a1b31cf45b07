"""`initialize`: learn the folders and the editor's settings. Answered before anything heavy is imported."""

from lsprotocol import types

from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.INITIALIZE)
    def on_initialize(ls: PlanactServer, params: types.InitializeParams) -> None:
        host_of(ls).meet(params)
