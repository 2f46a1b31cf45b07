"""The command `planact`: `serve` speaks LSP, everything else is for the terminal."""

import os
import sys


def main() -> None:
    """Run the program and leave with its exit code."""
    if sys.argv[1:2] == ["serve"]:
        # Before anything else is imported: a stray print would corrupt the protocol.
        from planact.lsp.stdio import open_stdio

        source, sink = open_stdio()
        from planact.lsp.serve import serve

        serve(source, sink, sys.argv[2:], os.environ)
    else:
        from planact.cli.main import run

        run(sys.argv[1:], os.environ)


if __name__ == "__main__":
    main()
