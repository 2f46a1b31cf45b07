"""`planact policy explain`: whether a command or a tool's call may run, in Plan and in Act, and why. Nothing is run.

With `--json` and nothing else on the command line, the commands are lines of JSON on standard input, and each is
answered with one.
"""

import argparse
import json
import shlex
import sys

from planact.base.errors import InvalidInput
from planact.cli.call import Call, Command, Exit, Result
from planact.cli.lines import texts

_SEE = 'A line is an object: {"cmd": "ls -la"}.'
_USAGE = "Give a command: planact policy explain -- git status. Or a tool: planact policy explain delete_file '{…}'"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool", metavar="TOOL", nargs="?", help="name of a tool; a command comes after --")
    parser.add_argument("arguments", metavar="JSON", nargs="?", default="{}", help="the tool's arguments")
    parser.set_defaults(text=[])


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.explanation import Explainer

    options = call.options
    if bool(options.tool) == bool(options.text) and (options.tool or not options.json):
        raise InvalidInput("INVALID_ARGUMENTS", "policy explain takes one command, or one tool", _USAGE)
    explainer = Explainer(Engine(call, warms_up=False))
    if options.tool:
        return explainer.tool(options.tool, options.arguments)
    if options.text:
        # What the user's shell took apart is put together again; a line in quotes is a line.
        line = options.text[0] if len(options.text) == 1 else shlex.join(options.text)
        return explainer.command(line)
    for line in texts(sys.stdin.buffer, "cmd", _SEE, is_json=True):
        print(json.dumps(explainer.row(line)), flush=True)
    return Result(Exit.DONE, {})


COMMAND = Command("policy explain", "tell whether a command or a tool may run, and why", _add_arguments, _run)
