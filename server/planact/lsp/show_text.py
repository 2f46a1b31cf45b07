"""Shows a text that is in no file: as a document where the client opens one when asked to, else as a message."""

from lsprotocol import types

from planact.lsp.convert import uri_of
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer
from planact.lsp.show_document import show_document

_LONGEST_MESSAGE = 2_000


async def show_text(server: PlanactServer, name: str, text: str, *, takes_focus: bool = True) -> None:
    """`name` is what the document is called. It is only to be read."""
    if server.client.show_document:
        path = host_of(server).app.shown_texts.write(name, text)
        if await show_document(server, uri_of(path), takes_focus=takes_focus):
            return
    short = text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}\n…"
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, short))
