"""`planact state delete`: delete all that planact keeps, of every workspace, after a yes."""

import argparse

from planact.cli.call import Call, Command, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-y", "--yes", action="store_true", help="delete it without a question")


def _run(call: Call) -> Result:
    from planact.cli.deletion import delete_state

    return delete_state(call, is_confirmed=call.options.yes)


COMMAND = Command(
    "state delete", "delete all that planact keeps, of every workspace, but no plan", _add_arguments, _run
)
