"""The language server with all its modules; importing this takes the time of all imports but litellm's."""

import gc
import logging
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from planact.lsp.commands import LSP_COMMANDS
from planact.lsp.connection import serve_connection
from planact.lsp.features import FEATURES
from planact.lsp.host.workspace_host import Host
from planact.lsp.server import PlanactServer
from planact.lsp.wire.initialize_reply import advertised


def create_server() -> PlanactServer:
    """Return a server that lacks only its `app` and `advertised`."""
    server = PlanactServer()
    for register in FEATURES:
        register(server)
    for command in LSP_COMMANDS:
        server.command(command.name, waits=command.waits)(command.handler)
    return server


def run_server(
    bodies: Iterator[bytes], sink: BinaryIO, initialize: Mapping[str, Any] | None, environment: Mapping[str, str]
) -> NoReturn:
    """Serve the client until it is gone; `initialize` is its request if that was answered already."""
    server = create_server()
    server.advertised = advertised()
    server.app = host = Host(server, environment, Path.home(), {})
    host.app.secrets.log_to(sys.stderr, logging.WARNING, "%(levelname)s %(name)s: %(message)s")
    gc.freeze()
    gc.enable()
    sys.setswitchinterval(0.001)  # an answer waits for other threads, such as the one that loads litellm, several times
    serve_connection(server, bodies, sink, initialize)
