"""`planact executions show [ID]`: what became of a run, in a few lines, as Markdown, or with `--json` as data."""

import argparse

from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    help_ = "id of the run or its end (default: the newest)"
    parser.add_argument("execution", metavar="ID", nargs="?", default="", help=help_)
    parser.add_argument("--markdown", action="store_true", help="print all of the record, as Markdown")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.show import execution_data, execution_text
    from planact.workflows.report_execution import find_execution, report

    run = find_execution(Engine(call, warms_up=False).ws, call.options.execution)
    text = report(run).rstrip("\n") if call.options.markdown else execution_text(run)
    return Result(Exit.DONE, execution_data(run), text)


COMMAND = Command("executions show", "show what became of a run", _add_arguments, _run)
