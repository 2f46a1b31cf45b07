"""`initialize` and `initialized`: the folders and the editor's settings, then the start of slow work.

`initialize` is answered before slow imports; the handler here runs after them.
"""

from lsprotocol import types

from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Register both handlers."""

    @server.feature(types.INITIALIZE)
    def on_initialize(ls: PlanactServer, params: types.InitializeParams) -> None:
        host_of(ls).initialize(params)

    @server.feature(types.INITIALIZED)
    async def on_initialized(ls: PlanactServer, _params: types.InitializedParams) -> None:
        host_of(ls).begin()
        await ls.register_features()
