"""`planact serve`: the language server as a process. It answers `initialize` first, then imports what it is made of.

That is the one place where imports are late: pygls, lsprotocol and planact itself take more than ten times as long as
all that comes before, and the editor has its own work to do meanwhile.
"""

import gc
import itertools
import sys
from collections.abc import Mapping
from typing import BinaryIO, NoReturn

from planact.lsp.greeting import greet
from planact.lsp.stdio import bodies_of


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
    initialize = greet(first, sink)
    gc.disable()  # all that is imported stays, so there is nothing to look for
    from planact.lsp.late_types import import_lsp_types

    import_lsp_types()
    from planact.lsp.process import run

    run(bodies if initialize else itertools.chain([first], bodies), sink, initialize, environment)
