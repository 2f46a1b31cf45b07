"""`planact plan export ID`: a plan for elsewhere, as a Markdown check list or as JSON, on standard output."""

import argparse

from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", metavar="ID", help="id of the plan or its end, or the path of its document")
    parser.add_argument("--format", choices=("markdown", "json"), default="markdown", help="default: markdown")


def _run(call: Call) -> Result:
    import json

    from planact.cli.engine import Engine
    from planact.plan.lower import plan_json

    document = Engine(call, warms_up=False).plan(call.options.plan)
    data = plan_json(document.complete())
    if call.options.format == "json":
        return Result(Exit.DONE, data, json.dumps(data, ensure_ascii=False, indent=2))
    body = document.file.text[document.tree.body_start :]
    return Result(Exit.DONE, data, body.strip("\n"))


COMMAND = Command("plan export", "print a plan as Markdown or JSON", _add_arguments, _run)
