"""Progress of long work in the client, where the user can cancel it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from planact.lsp.wire.patches import PatchedProtocol, work_done_token

_CREATE_LIMIT = 2.0
"""Seconds that work waits for the client to show it."""


class Progress:
    """The display of one piece of work; without a token it is not shown."""

    def __init__(self, protocol: PatchedProtocol, token: types.ProgressToken | None) -> None:
        self._protocol = protocol
        self._token = token

    def begin(self, title: str) -> None:
        """Show the work, with a button to cancel it."""
        self._send(types.WorkDoneProgressBegin(title=title, cancellable=True))

    def report(self, message: str) -> None:
        """Show a line about its state."""
        self._send(types.WorkDoneProgressReport(message=message))

    def end(self) -> None:
        """Remove it from the display."""
        self._send(types.WorkDoneProgressEnd())

    def _send(self, value: Any) -> None:
        if self._token is not None:
            self._protocol.notify(types.PROGRESS, types.ProgressParams(self._token, value))


@asynccontextmanager
async def show_progress(
    protocol: PatchedProtocol,
    title: str,
    on_cancel: Callable[[], None],
    *,
    can_create: bool,
) -> AsyncIterator[Progress]:
    """Show work from here to the end of the block; `on_cancel` is called when the user cancels it.

    It is shown where the client asked for it with the command (once), else where it lets the server begin progress
    (`can_create`), else not at all.
    """
    token = work_done_token.get()
    # Work inside this work is shown apart.
    work_done_token.set(None)
    if token is None and can_create:
        token = await _create(protocol)
    progress = Progress(protocol, token)
    if token is not None:
        protocol.cancellations[token] = on_cancel
    try:
        progress.begin(title)
        yield progress
    finally:
        if token is not None:
            protocol.cancellations.pop(token, None)
        progress.end()


async def _create(protocol: PatchedProtocol) -> types.ProgressToken | None:
    token = protocol.new_id()
    try:
        asking = protocol.request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, types.WorkDoneProgressCreateParams(token))
        await asyncio.wait_for(asking, _CREATE_LIMIT)
    except (JsonRpcException, TimeoutError):
        return None
    return token
