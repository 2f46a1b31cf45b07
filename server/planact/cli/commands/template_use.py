"""`planact template use`: make a plan from a template."""

import argparse

from planact.cli.call import Call, Command, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="name of the template")
    parser.add_argument(
        "--set", dest="values", metavar="NAME=VALUE", action="append", default=[], help="value of a parameter"
    )


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.request import named_values
    from planact.cli.trips import use

    options = call.options
    values = named_values(options.values, "--set")
    return use(Engine(call, warms_up=False), options.name, values, takes_defaults=options.defaults)


COMMAND = Command("template use", "make a plan from a template", _add_arguments, _run)
