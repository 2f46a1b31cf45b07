"""`planact template show`: show a template."""

import argparse

from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="name of the template")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.show import template_data
    from planact.workflows.templates import find_template

    known = find_template(Engine(call, warms_up=False).ws, call.options.name)
    text = known.template.tree.text
    return Result(Exit.DONE, {**template_data(known), "text": text}, text.rstrip("\n"))


COMMAND = Command("template show", "show a template", _add_arguments, _run)
