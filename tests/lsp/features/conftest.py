"""The same servers as for commands: one for each position encoding, and for each test a folder of its own."""

from tests.lsp.commands.conftest import client, shared

__all__ = ["client", "shared"]
