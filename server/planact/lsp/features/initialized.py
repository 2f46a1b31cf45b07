"""`initialized`: begin to load what is heavy, in the background, and show what is wrong with the settings."""

from lsprotocol import types

from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.INITIALIZED)
    async def on_initialized(ls: PlanactServer, _params: types.InitializedParams) -> None:
        host_of(ls).begin()
        await ls.register_features()
