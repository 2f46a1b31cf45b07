"""`planact act [ID]`: carry out a plan after the user's yes.

A plan that the user approved as it is now, and names here, needs no second yes; one that is only the latest does.
"""

import argparse

from planact.cli.call import Call, Command, Result
from planact.cli.request import announce


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    help_ = "id of the plan or its end, or the path of its document (default: the latest with steps left)"
    which = parser.add_mutually_exclusive_group()
    which.add_argument("plan", metavar="ID", nargs="?", default="", help=help_)
    which.add_argument("--plan-id", metavar="ID", default="", help="the same")
    parser.add_argument("-y", "--yes", action="store_true", help="approve the plan as it is now")
    parser.add_argument("--step", type=int, metavar="N", help="run only this step")


def _run(call: Call) -> Result:
    announce(call, "act")
    from planact.cli.engine import Engine
    from planact.cli.trips import act_on
    from planact.workflows.execute_plan import Confirmation

    engine, options = Engine(call), call.options
    plan_id = options.plan or options.plan_id
    document = engine.plan(plan_id)
    plan = document.complete()
    engine.screen.line(f"{plan.id}  {plan.goal}  {document.path}")
    if options.yes:
        confirmation = Confirmation.BY_FLAG
    else:
        confirmation = Confirmation.UNLESS_APPROVED if plan_id else Confirmation.ASK
    return act_on(engine, document, confirmation, step=options.step)


COMMAND = Command("act", "carry out a plan", _add_arguments, _run)
