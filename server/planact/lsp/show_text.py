"""Shows a text that is in no file: as a document where the client opens one when asked to, else as a message."""

import shutil
import tempfile
from pathlib import Path

from lsprotocol import types

from planact.lsp.convert import uri_of
from planact.lsp.server import PlanactServer
from planact.lsp.show_document import show_document

_LONGEST_MESSAGE = 2_000


async def show_text(server: PlanactServer, name: str, text: str) -> None:
    """`name` is what the document is called. It is only to be read, in a private folder that goes with the process."""
    if server.client.show_document and await show_document(server, uri_of(_written(server, name, text))):
        return
    short = text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}\n…"
    server.window_show_message(types.ShowMessageParams(types.MessageType.Info, short))


def _written(server: PlanactServer, name: str, text: str) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="planact-"))

    async def clear() -> None:
        shutil.rmtree(folder, ignore_errors=True)

    server.at_exit.append(clear)
    path = folder / name
    path.write_text(text, "utf-8", newline="")
    path.chmod(0o400)
    return path
