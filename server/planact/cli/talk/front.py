"""Which form a conversation takes: a program that draws, or lines where the terminal or its user wants it plain."""

import sys

from planact.cli.call import Call
from planact.cli.screen import is_plain
from planact.cli.talk.lines import TalkLines
from planact.cli.talk.talk import Conversation


def make_front(call: Call) -> Conversation:
    """What draws is imported only where it does."""
    if is_plain(call.environment) or not (sys.stdout.isatty() and sys.stderr.isatty()):
        return TalkLines(call)
    from planact.cli.talk.program import TalkProgram

    return TalkProgram(call)
