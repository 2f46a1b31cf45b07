"""The command `planact`: `serve` speaks LSP, all other subcommands are for the terminal."""

import gc
import os
import sys

GARBAGE_AFTER = (5_000, 10, 10)
"""Objects until Python looks for cycles. A plan is thousands of objects without one, which it would look through every
700. Far rarer, and what litellm leaves in cycles with each request would take 20 MB in 500 of them.
"""


def main() -> None:
    """Run the program and leave with its exit code."""
    environment = dict(os.environ)  # for those that it starts
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "1"  # else it looks for some in all that is installed
    gc.set_threshold(*GARBAGE_AFTER)
    if sys.argv[1:2] == ["serve"]:
        # Before anything else is imported: a stray print would corrupt the protocol.
        from planact.lsp.wire.stdio import open_stdio

        source, sink = open_stdio()
        from planact.lsp.serve import serve

        serve(source, sink, sys.argv[2:], environment)
    else:
        gc.disable()  # until all is imported, see `cli.engine`
        try:
            from planact.app.late_methods import compile_methods_late

            compile_methods_late()
            from planact.cli.main import run_program
        except KeyboardInterrupt:
            os._exit(130)

        run_program(sys.argv[1:], environment)


if __name__ == "__main__":
    main()
