"""`planact act [ID]`: carry out a plan after the user's yes.

A plan that the user approved as it is now, and names here, needs no second yes; one that is only the latest does.
"""

import argparse
import re

from planact.cli.call import Call, Command, Result
from planact.cli.request import announce

_RANGE = re.compile(r" *([1-9][0-9]{0,6})(?:-([1-9][0-9]{0,6}))? *")
_MOST = 10_000
_STEPS = "run only this step, or those of a selection such as 2-4 or 1,3-5"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    help_ = "id of the plan or its end, or the path of its document (default: the latest with steps left)"
    which = parser.add_mutually_exclusive_group()
    which.add_argument("plan", metavar="ID", nargs="?", default="", help=help_)
    which.add_argument("--plan-id", metavar="ID", default="", help="the same")
    parser.add_argument("-y", "--yes", action="store_true", help="approve the plan as it is now")
    parser.add_argument("--steps", "--step", type=_numbers, metavar="N", default=(), help=_STEPS)


def _numbers(text: str) -> tuple[int, ...]:
    """`2`, `2-4`, `1,3-5`."""
    ranges = [_RANGE.fullmatch(part) for part in text.split(",")]
    bounds = [(int(found[1]), int(found[2] or found[1])) for found in ranges if found]
    if len(bounds) < len(ranges) or any(not first <= last < first + _MOST for first, last in bounds):
        raise argparse.ArgumentTypeError(f"{text!r} names no steps: write a number, 2-4, or 1,3-5")
    return tuple(sorted({number for first, last in bounds for number in range(first, last + 1)}))


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
    return act_on(engine, document, confirmation, steps=options.steps)


COMMAND = Command("act", "carry out a plan", _add_arguments, _run)
