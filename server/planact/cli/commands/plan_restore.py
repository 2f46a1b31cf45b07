"""`planact plan restore ID N`: put an earlier text of a plan in place; what it says now is kept."""

import argparse

from planact.cli.call import Call, Command, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", metavar="ID", help="id of the plan or its end, or the path of its document")
    parser.add_argument("number", metavar="N", type=int, help="number of the revision, as plan diff tells")
    parser.add_argument("-y", "--yes", action="store_true", help="for scripts; nothing is asked, as nothing is lost")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.trips import restore

    engine = Engine(call, warms_up=False)
    return restore(engine, engine.plan(call.options.plan), call.options.number)


COMMAND = Command("plan restore", "go back to an earlier text of a plan", _add_arguments, _run)
