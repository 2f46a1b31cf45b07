"""The choice between the drawn program and plain lines, by the terminal and its user's wish."""

import sys

from planact.cli.chat.conversation import ChatInterface
from planact.cli.chat.lines import LineChat
from planact.cli.command import Invocation
from planact.cli.output.screen import is_plain


def make_interface(invocation: Invocation) -> ChatInterface:
    """Return the front end for this terminal; the drawing libraries are imported only for the program."""
    if is_plain(invocation.environment) or not (sys.stdout.isatty() and sys.stderr.isatty()):
        return LineChat(invocation)
    from planact.cli.chat.program import ChatProgram

    return ChatProgram(invocation)
