"""`planact executions`: the runs of the folder, the newest first."""

import argparse

from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("word", metavar="list", nargs="?", choices=("list",), help="the same, spelled out")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.show import executions_text
    from planact.workflows.journaled import newest_first

    runs = newest_first(Engine(call, warms_up=False).ws)
    data = {"executions": [run.model_dump(mode="json") for run in runs]}
    if not runs:
        return Result(Exit.DONE, data, next_step="There are no executions in this folder. Begin one: planact act")
    return Result(Exit.DONE, data, executions_text(runs))


COMMAND = Command("executions", "list the runs of the folder, the newest first", _add_arguments, _run)
