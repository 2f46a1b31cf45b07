"""`planact plan delete ID`: delete a plan, after a yes."""

import argparse

from planact.cli.call import Call, Command, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", metavar="ID", help="id of the plan or its end, or the path of its document")
    parser.add_argument("-y", "--yes", action="store_true", help="delete it without a question")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.trips import delete

    engine = Engine(call, warms_up=False)
    return delete(engine, engine.plan(call.options.plan), is_confirmed=call.options.yes)


COMMAND = Command("plan delete", "delete a plan", _add_arguments, _run)
