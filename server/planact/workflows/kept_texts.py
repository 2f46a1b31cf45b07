"""What files said at some time, by the SHA-256 of their bytes: of before- and after-images, for people to compare.

A credentials file or one that is hidden from the agent is shown to nobody, whoever changed it.
"""

from planact.base.filetext import decode
from planact.policy.protected import holds_credentials
from planact.workflows.workspace import Workspace

LARGEST = 2_000_000
"""Bytes of a text that is shown."""


def kept_text(ws: Workspace, path: str, sha256: str) -> str:
    """What `path` said when its bytes had that SHA-256 (hex); empty without one. Where it can't be shown, why not."""
    place = ws.ports.files.resolve(path)
    if place.relative is None or holds_credentials(place.relative) or ws.ports.files.is_hidden(place):
        return f"What is in {path} is not shown.\n"
    data = ws.ports.journal.kept(sha256) if sha256 else b""
    if data is None:
        return f"What {path} said then is not known.\n"
    file = decode(data) if len(data) <= LARGEST else None
    return file.text if file else f"{path} is no text, or too large to be shown.\n"
