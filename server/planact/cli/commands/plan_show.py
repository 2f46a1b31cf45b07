"""`planact plan show ID`: the document, or with `--json` the plan as data."""

import argparse

from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", metavar="ID", help="id of the plan or its end, or the path of its document")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.plan.lower import plan_json

    document = Engine(call, warms_up=False).plan(call.options.plan)
    return Result(Exit.DONE, plan_json(document.complete()), document.file.text.rstrip("\n"))


COMMAND = Command("plan show", "show a plan", _add_arguments, _run)
