"""`planact plan approve ID`: the user's yes to the plan as it is now; starts nothing."""

import argparse

from planact.cli.call import Call, Command, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", metavar="ID", help="id of the plan or its end, or the path of its document")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.trips import approve

    engine = Engine(call, warms_up=False)
    return approve(engine, engine.plan(call.options.plan))


COMMAND = Command("plan approve", "approve a plan without executing it", _add_arguments, _run)
