"""`planact resume [PLAN|EXECUTION]`: go on where a run paused, failed or was killed."""

import argparse

from planact.cli.call import Call, Command, Result
from planact.cli.request import announce


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    help_ = "id of a plan or an execution or its end, or the path of a plan (default: the newest run to go on with)"
    parser.add_argument("run", metavar="PLAN|EXECUTION", nargs="?", default="", help=help_)


def _run(call: Call) -> Result:
    announce(call, "act")
    from planact.cli.engine import Engine
    from planact.cli.trips import go_on
    from planact.workflows.resume_execution import run_called

    engine = Engine(call)
    run = run_called(engine.ws, call.options.run)
    engine.screen.line(f"{run.plan_id}  {run.goal}  {run.plan_file}")
    return go_on(engine, run)


COMMAND = Command("resume", "go on where a run paused, failed or was killed", _add_arguments, _run)
