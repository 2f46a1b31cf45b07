"""`planact/workspaceTrust`: the user trusts what is in the workspace, or doesn't any more."""

from planact.lsp import protocol
from planact.lsp.host import host_of
from planact.lsp.server import PlanactServer


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(protocol.WORKSPACE_TRUST)
    async def on_workspace_trust(ls: PlanactServer, trust: protocol.WorkspaceTrust) -> protocol.WorkspaceTrust:
        host_of(ls).app.is_restricted = not trust.is_trusted
        host_of(ls).judge_again()
        return trust
