"""Earlier texts of plans as documents that a client can open and compare: virtual where it can, else private files.

The files lie outside the workspace, can only be read, and go with the server.
"""

import asyncio
import shutil
import tempfile
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from planact.lsp.convert import revision_uri, uri_of
from planact.lsp.server import PlanactServer


class RevisionViews:
    """Those of one server."""

    def __init__(self, server: PlanactServer) -> None:
        self._server = server
        self._folder: Path | None = None
        self._files: dict[tuple[str, int], Path] = {}
        server.at_exit.append(self.close)

    def uri(self, plan_uri: str, number: int, text: str) -> str:
        """Where the client reads revision `number`, whose text this is, of the plan at `plan_uri`."""
        if self._server.client.virtual_documents:
            return revision_uri(plan_uri, number)
        known = self._files.get((plan_uri, number))
        if known is None or not known.exists():
            known = self._files[plan_uri, number] = self._write(plan_uri, number, text)
        return uri_of(known)

    async def close(self) -> None:
        """Remove the files."""
        if self._folder is not None:
            await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)

    def _write(self, plan_uri: str, number: int, text: str) -> Path:
        if self._folder is None or not self._folder.exists():
            self._folder = Path(tempfile.mkdtemp(prefix="planact-revisions-"))
        # Not `*.plan`: it is nothing to approve or execute. Each in a folder of its own, since plans can have one name.
        name = f"{PurePosixPath(unquote(plan_uri)).stem[:60]}.revision-{number}.md"
        path = Path(tempfile.mkdtemp(dir=self._folder)) / name
        path.write_bytes(text.encode("utf-8", "replace"))
        path.chmod(0o400)
        return path
