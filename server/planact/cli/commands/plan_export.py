"""`planact plan export ID`: a plan for elsewhere, as a Markdown check list or as JSON, on standard output."""

import argparse

from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", metavar="ID", help="id of the plan or its end, or the path of its document")
    parser.add_argument("--format", choices=("markdown", "json"), default="markdown", help="default: markdown")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.plan.lower import plan_json
    from planact.workflows.export_plan import export_plan

    document = Engine(call, warms_up=False).plan(call.options.plan)
    text = export_plan(document, call.options.format)
    return Result(Exit.DONE, plan_json(document.complete()), text)


COMMAND = Command("plan export", "print a plan as Markdown or JSON", _add_arguments, _run)
