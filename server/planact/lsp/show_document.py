"""`window/showDocument`: have the client open a document, if it can."""

import asyncio

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from planact.lsp.server import PlanactServer

_LIMIT = 10.0


async def show_document(
    server: PlanactServer, uri: str, place: types.Range | None = None, *, takes_focus: bool = True
) -> bool:
    """Open it, with the cursor at `place`; whether the client did. One that doesn't answer is left in peace."""
    if not server.client.show_document:
        return False
    params = types.ShowDocumentParams(uri, take_focus=takes_focus, selection=place)
    try:
        return bool(
            (await asyncio.wait_for(server.protocol.request(types.WINDOW_SHOW_DOCUMENT, params), _LIMIT)).success
        )
    except (TimeoutError, JsonRpcException):
        return False
