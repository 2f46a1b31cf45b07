"""`planact plan revise ID ["…"]`: have a plan revised by what you say and by the comments in its document."""

import argparse

from planact.cli.call import Call, Command, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", metavar="ID", help="id of the plan or its end, or the path of its document")
    parser.add_argument("feedback", nargs="*", help="what should change, besides the comments (lines with >) in it")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.trips import revise

    engine = Engine(call)
    return revise(engine, engine.plan(call.options.plan), " ".join(call.options.feedback))


COMMAND = Command("plan revise", "have a plan revised", _add_arguments, _run)
