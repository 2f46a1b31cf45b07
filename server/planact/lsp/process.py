"""The language server with all that it is made of; whoever imports this has waited for everything but litellm."""

import gc
import logging
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from planact.lsp.connection import serve
from planact.lsp.greeting import advertised
from planact.lsp.host import Host
from planact.lsp.start import create_server


def run(
    bodies: Iterator[bytes], sink: BinaryIO, initialize: Mapping[str, Any] | None, environment: Mapping[str, str]
) -> NoReturn:
    """Serve the client to the end; `initialize` is its request if that has been answered already."""
    server = create_server()
    server.advertised = advertised()
    server.app = host = Host(server, environment, Path.home(), {})
    host.app.log_to(sys.stderr, logging.WARNING, "%(levelname)s %(name)s: %(message)s")
    gc.freeze()
    gc.enable()
    sys.setswitchinterval(0.001)  # an answer waits for other threads, such as the one that loads litellm, several times
    serve(server, bodies, sink, initialize)
