"""`planact policy intent`: what messages on standard input ask for, as if each came right after a complete plan.

One answer a line, as soon as its line is read. With `--json` the lines are JSON, in and out.
"""

import json
import sys

from planact.base.span import Span
from planact.cli.call import Call, Command, Exit, Result, no_arguments
from planact.cli.lines import texts
from planact.cli.screen import printable

_SEE = 'A line is a message, or with --json an object: {"text": "go ahead"}.'


def _run(call: Call) -> Result:
    from planact.policy.intent import detect

    for text in texts(sys.stdin.buffer, "text", _SEE, is_json=call.options.json):
        found = detect(text)
        if call.options.json:
            answer = {"text": text, "intent": found.intent, "rule": found.rule, "span": found.span}
            print(json.dumps(answer), flush=True)
        else:
            print(printable(f"{found.intent}  {found.rule}  {_marked(text, found.span)}"), flush=True)
    return Result(Exit.DONE, {})


def _marked(text: str, span: Span) -> str:
    return f"{text[: span.start]}[{text[span.start : span.end]}]{text[span.end :]}"


COMMAND = Command("policy intent", "tell whether messages on standard input approve a plan", no_arguments, _run)
