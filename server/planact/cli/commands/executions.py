"""`planact executions`: the runs of the folder, the newest first."""

import argparse
import sys

from planact.base.text import counted
from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="also those before the last 100")
    parser.add_argument("word", metavar="list", nargs="?", choices=("list",), help="the same, spelled out")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.show import executions_text
    from planact.workflows.report_execution import list_executions

    limit = sys.maxsize if call.options.all else 100
    runs, left_out = list_executions(Engine(call, warms_up=False).ws, limit)
    data = {"executions": [run.model_dump(mode="json") for run in runs], "left_out": left_out}
    if not runs:
        return Result(Exit.DONE, data, next_step="There are no executions in this folder. Begin one: planact act")
    older = f"{counted(left_out, 'older run')} not shown: planact executions --all" if left_out else ""
    return Result(Exit.DONE, data, executions_text(runs), older)


COMMAND = Command("executions", "list the runs of the folder, the newest first", _add_arguments, _run)
