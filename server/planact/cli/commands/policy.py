"""`planact policy explain` and `planact policy intent`: verdicts of the gate and of the intent rules. Neither acts."""

import argparse
import json
import shlex
import sys
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from planact.base.errors import InvalidInput
from planact.base.span import Span
from planact.cli.command import CliCommand, Exit, Invocation, Result, no_arguments
from planact.cli.output.screen import printable, put_out


def input_texts(stream: BinaryIO, key: str, example: str, *, is_json: bool) -> Iterator[str]:
    """Yield the text of each non-empty line: the line itself, or with `is_json` the value of `key` in its object.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, with the number of the line, or where all lines are empty; `example` becomes
            the hint.
    """
    is_empty = True
    for number, line in enumerate(stream, start=1):
        if line.strip():
            is_empty = False
            yield _text(line.rstrip(b"\r\n"), number, key, example, is_json=is_json)
    if is_empty:
        raise InvalidInput("INVALID_ARGUMENTS", "standard input is empty", example)


def _text(line: bytes, number: int, key: str, example: str, *, is_json: bool) -> str:
    try:
        read = json.loads(line) if is_json else line.decode()
    except (ValueError, RecursionError) as error:
        raise InvalidInput("INVALID_ARGUMENTS", f"line {number} cannot be read: {error}", example) from error
    text = read.get(key) if isinstance(read, Mapping) else read
    if not isinstance(text, str) or (is_json and not isinstance(read, Mapping)):
        raise InvalidInput("INVALID_ARGUMENTS", f"line {number} has no {key}", example)
    return text


# --- policy explain

_COMMAND_LINE = 'A line is an object: {"cmd": "ls -la"}.'
_USAGE = "Give a command: planact policy explain -- git status. Or a tool: planact policy explain delete_file '{…}'"


def _add_explain_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tool", metavar="TOOL", nargs="?", help="name of a tool; a command comes after --")
    parser.add_argument("arguments", metavar="JSON", nargs="?", default="{}", help="the tool's arguments")
    parser.set_defaults(text=[])


def _explain(invocation: Invocation) -> Result:
    """Explain the verdicts on a command or a tool call, in Plan and in Act.

    With `--json` and no other argument, read commands as lines of JSON from standard input and answer each with one.
    """
    from planact.cli.engine import Engine
    from planact.cli.policy_explainer import PolicyExplainer

    options = invocation.options
    if bool(options.tool) == bool(options.text) and (options.tool or not options.json):
        raise InvalidInput("INVALID_ARGUMENTS", "policy explain takes one command, or one tool", _USAGE)
    explainer = PolicyExplainer(Engine(invocation, warms_up=False))
    if options.tool:
        return explainer.tool(options.tool, options.arguments)
    if options.text:
        # Join the words that the user's shell split; one quoted word is the whole command line already.
        line = options.text[0] if len(options.text) == 1 else shlex.join(options.text)
        return explainer.command(line)
    for line in input_texts(sys.stdin.buffer, "cmd", _COMMAND_LINE, is_json=True):
        put_out(json.dumps(explainer.row(line)))
    return Result(Exit.DONE, {})


# --- policy intent

_MESSAGE_LINE = 'A line is a message, or with --json an object: {"text": "go ahead"}.'


def _intent(invocation: Invocation) -> Result:
    """Print the intent of each line of standard input, as if the message came right after a complete plan.

    Each answer is one line, printed as soon as its message is read. With `--json` the lines are JSON, in and out.
    """
    from planact.policy.intent.rules import detect

    for text in input_texts(sys.stdin.buffer, "text", _MESSAGE_LINE, is_json=invocation.options.json):
        found = detect(text)
        if invocation.options.json:
            answer = {"text": text, "intent": found.intent, "rule": found.rule, "span": found.span}
            put_out(json.dumps(answer))
        else:
            put_out(printable(f"{found.intent}  {found.rule}  {_marked(text, found.span)}"))
    return Result(Exit.DONE, {})


def _marked(text: str, span: Span) -> str:
    return f"{text[: span.start]}[{text[span.start : span.end]}]{text[span.end :]}"


COMMANDS = (
    CliCommand("policy explain", "tell whether a command or a tool may run, and why", _add_explain_arguments, _explain),
    CliCommand("policy intent", "tell whether messages on standard input approve a plan", no_arguments, _intent),
)
