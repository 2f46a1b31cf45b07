"""`planact template create`: make a template from a plan."""

import argparse

from planact.cli.call import Call, Command, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--from-plan", dest="plan", metavar="ID", required=True, help="the plan")
    parser.add_argument("--name", required=True, help="name of the template: small letters, digits and hyphens")
    parser.add_argument("--description", default="", help="what it is for")
    parser.add_argument(
        "--parameter",
        dest="parameters",
        metavar="NAME=TEXT",
        action="append",
        default=[],
        help="a text of the plan that is to be a parameter",
    )


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.request import named_values
    from planact.cli.trips import make_template_of

    engine, options = Engine(call, warms_up=False), call.options
    parameters = named_values(options.parameters, "--parameter")
    return make_template_of(engine, engine.plan(options.plan), options.name, options.description, parameters)


COMMAND = Command("template create", "make a template from a plan", _add_arguments, _run)
