"""`planact doctor`: what is found on this machine, and the next step."""

import argparse

from planact.cli.call import Call, Command, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="put right what is amiss in planact's own files")


def _run(call: Call) -> Result:
    from planact.cli.examination import examine

    return examine(call, is_repairing=call.options.repair)


COMMAND = Command("doctor", "say what is found on this machine, and the next step", _add_arguments, _run)
