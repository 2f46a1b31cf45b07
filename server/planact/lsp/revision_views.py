"""Earlier texts of plans as documents that a client can open and compare: virtual where it can, else private files."""

from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from planact.lsp.convert import revision_uri, uri_of
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer


class RevisionViews:
    """Those of one server."""

    def __init__(self, server: PlanactServer) -> None:
        self._server = server
        self._files: dict[tuple[str, int], Path] = {}

    def uri(self, plan_uri: str, number: int, text: str) -> str:
        """Where the client reads revision `number`, whose text this is, of the plan at `plan_uri`."""
        if self._server.client.virtual_documents:
            return revision_uri(plan_uri, number)
        known = self._files.get((plan_uri, number))
        if known is None or not known.exists():
            # Not `*.plan`: it is nothing to approve or execute.
            name = f"{PurePosixPath(unquote(plan_uri)).stem[:60]}.revision-{number}.md"
            known = self._files[plan_uri, number] = host_of(self._server).app.shown_texts.write(name, text)
        return uri_of(known)
