"""`planact demo`: watch a plan being made and carried out, without a key or a network."""

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from planact.base.errors import InvalidInput
from planact.cli.call import Call, Command, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--keep", metavar="FOLDER", default="", help="where to leave the project (default: nowhere)")


def _run(call: Call) -> Result:
    if call.options.model or call.options.planner_model or call.options.actor_model:
        hint = "To use a model of yours: planact plan --help"
        raise InvalidInput("INVALID_ARGUMENTS", "the demo plays a script and takes no --model", hint)
    from planact.cli.demonstration import demonstrate, forget

    if call.options.keep:
        return demonstrate(call, Path(call.options.keep).absolute())
    with tempfile.TemporaryDirectory(prefix="planact-demo-") as parent:
        folder = Path(parent) / "bookshelf"
        try:
            result = demonstrate(call, folder)
            last = "The project was a temporary copy. To keep one: planact demo --keep FOLDER"
            return replace(result, next_step=f"{result.next_step}\n\n{last}")
        finally:
            forget(call, folder)


COMMAND = Command("demo", "watch planact make a plan and carry it out; no key, no network", _add_arguments, _run)
