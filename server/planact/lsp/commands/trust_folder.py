"""`planact.trustFolder`: the user trusts what a folder's `.planact/` says, as it is now."""

from pathlib import Path

from planact.lsp.arguments import TrustFolder
from planact.lsp.host import host_of
from planact.lsp.results import FolderTrusted
from planact.lsp.server import PlanactServer
from planact.workflows.trust_folder import trust_folder


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.trustFolder")
    async def on_trust_folder(ls: PlanactServer, arguments: TrustFolder) -> FolderTrusted:
        ws = host_of(ls).workspace(arguments.folder)
        return FolderTrusted(folder=str(Path(ws.ports.files.root)), fingerprint=trust_folder(ws, arguments.seen))
