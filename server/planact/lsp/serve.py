"""`planact serve`: the language server as a process. It answers `initialize` first, then imports the rest.

This is the one place where imports are late: pygls, lsprotocol and planact itself take more than ten times as long as
all before them, and the editor has its own work to do meanwhile.
"""

import gc
import itertools
import sys
from collections.abc import Mapping
from typing import BinaryIO, NoReturn

from planact.lsp.wire.initialize_reply import answer_initialize
from planact.lsp.wire.stdio import bodies_of


def serve(source: BinaryIO, sink: BinaryIO, words: list[str], environment: Mapping[str, str]) -> NoReturn:
    """Serve the client at the other end of the two pipes until it is gone."""
    if words not in ([], ["--stdio"]):
        usage = "usage: planact serve [--stdio]\n\nThe language server, for editors, on standard input and output."
        print(usage, file=sys.stderr)  # noqa: T201 (there is no client to tell)
        sys.exit(0 if words in (["--help"], ["-h"]) else 2)
    bodies = bodies_of(source)
    first = next(bodies, None)
    if first is None:
        sys.exit(1)
    initialize = answer_initialize(first, sink)
    gc.disable()  # imported objects stay, so there is no garbage to find
    from planact.lsp.wire.late_types import import_lsp_types

    import_lsp_types()
    from planact.app.late_methods import compile_methods_late

    compile_methods_late()
    from planact.lsp.connection import run_server

    run_server(bodies if initialize else itertools.chain([first], bodies), sink, initialize, environment)
