"""`planact template delete`: delete a template of the workspace."""

import argparse

from planact.cli.call import Call, Command, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="name of the template")
    parser.add_argument("-y", "--yes", action="store_true", help="delete it without a question")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.trips import delete_template_named

    return delete_template_named(Engine(call, warms_up=False), call.options.name, is_confirmed=call.options.yes)


COMMAND = Command("template delete", "delete a template of the workspace", _add_arguments, _run)
