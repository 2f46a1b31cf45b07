"""`window/showDocument`: have the client open a document, if it can."""

import asyncio
import contextlib

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from planact.lsp.server import PlanactServer

_LIMIT = 10.0


async def show_document(server: PlanactServer, uri: str, place: types.Range | None = None) -> None:
    """Open it, with the cursor at `place`. A client that can't or doesn't answer is left in peace."""
    if server.client.show_document:
        params = types.ShowDocumentParams(uri, take_focus=True, selection=place)
        with contextlib.suppress(TimeoutError, JsonRpcException):
            await asyncio.wait_for(server.protocol.request(types.WINDOW_SHOW_DOCUMENT, params), _LIMIT)
