"""`planact demo`: make and execute a plan in a sample project, without a key or a network."""

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from planact.base.errors import InvalidInput
from planact.cli.command import CliCommand, Invocation, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--keep", metavar="FOLDER", default="", help="where to leave the project (default: nowhere)")


def _run(invocation: Invocation) -> Result:
    if invocation.options.model or invocation.options.planner_model or invocation.options.actor_model:
        hint = "To use a model of yours: planact plan --help"
        raise InvalidInput("INVALID_ARGUMENTS", "the demo plays a script and takes no --model", hint)
    from planact.cli.demo.run import demonstrate, forget

    if invocation.options.keep:
        return demonstrate(invocation, Path(invocation.options.keep).absolute())
    with tempfile.TemporaryDirectory(prefix="planact-demo-") as parent:
        folder = Path(parent) / "bookshelf"
        try:
            result = demonstrate(invocation, folder)
            last = "The project was a temporary copy. To keep one: planact demo --keep FOLDER"
            return replace(result, next_step=f"{result.next_step}\n\n{last}")
        finally:
            forget(invocation, folder)


COMMANDS = (CliCommand("demo", "watch planact make a plan and carry it out; no key, no network", _add_arguments, _run),)
