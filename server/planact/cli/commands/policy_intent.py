"""`planact policy intent`: what messages on standard input ask for, as if each came right after a complete plan.

One answer a line, as soon as its line is read. With `--json` the lines are JSON, in and out.
"""

import json
import sys
from collections.abc import Mapping

from planact.base.errors import InvalidInput
from planact.base.span import Span
from planact.cli.call import Call, Command, Exit, Result, no_arguments
from planact.cli.screen import printable

_SEE = 'A line is a message, or with --json an object: {"text": "go ahead"}.'


def _run(call: Call) -> Result:
    from planact.policy.intent import detect

    for number, line in enumerate(sys.stdin.buffer, start=1):
        text = _text(line.rstrip(b"\r\n"), number, is_json=call.options.json)
        if text is None:
            continue
        found = detect(text)
        if call.options.json:
            answer = {"text": text, "intent": found.intent, "rule": found.rule, "span": found.span}
            print(json.dumps(answer), flush=True)
        else:
            print(printable(f"{found.intent}  {found.rule}  {_marked(text, found.span)}"), flush=True)
    return Result(Exit.DONE, {})


def _text(line: bytes, number: int, *, is_json: bool) -> str | None:
    """The message of a line; None for an empty one."""
    if not line.strip():
        return None
    try:
        read = json.loads(line) if is_json else line.decode()
    except (ValueError, RecursionError) as error:
        raise InvalidInput("INVALID_ARGUMENTS", f"line {number} cannot be read: {error}", _SEE) from error
    text = read.get("text") if isinstance(read, Mapping) else read
    if not isinstance(text, str) or (is_json and not isinstance(read, Mapping)):
        raise InvalidInput("INVALID_ARGUMENTS", f"line {number} has no text", _SEE)
    return text


def _marked(text: str, span: Span) -> str:
    return f"{text[: span.start]}[{text[span.start : span.end]}]{text[span.end :]}"


COMMAND = Command("policy intent", "tell whether messages on standard input approve a plan", no_arguments, _run)
