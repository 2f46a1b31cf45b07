"""Puts all features and commands on one server. Apart from `server`, which each of them imports."""

from planact.lsp.commands import COMMANDS
from planact.lsp.features import FEATURES
from planact.lsp.server import PlanactServer


def create_server() -> PlanactServer:
    """A server that is complete but for its `app` and what it has `advertised`."""
    server = PlanactServer()
    for register in (*FEATURES, *COMMANDS):
        register(server)
    return server
