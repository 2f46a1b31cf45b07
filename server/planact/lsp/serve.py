"""`planact serve`: the language server as a process."""

import gc
import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, NoReturn

from planact.lsp.connection import serve as converse
from planact.lsp.host import Host
from planact.lsp.start import create_server


def serve(source: BinaryIO, sink: BinaryIO, words: list[str], environment: Mapping[str, str]) -> NoReturn:
    """Serve the client at the other end of the two pipes until it is gone."""
    if words not in ([], ["--stdio"]):
        usage = "usage: planact serve [--stdio]\n\nThe language server, for editors, on standard input and output."
        print(usage, file=sys.stderr)  # noqa: T201 (there is no client to tell)
        sys.exit(0 if words in (["--help"], ["-h"]) else 2)
    server = create_server()
    server.app = host = Host(server, environment, Path.home(), {})
    host.app.log_to(sys.stderr, logging.WARNING, "%(levelname)s %(name)s: %(message)s")
    # What is loaded by now stays, and a plan is thousands of objects without a cycle: looking through all of them again
    # and again would cost more than reading the plan.
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    converse(server, source, sink)
