"""`planact chat`: one message to the agent, given as words or piped in, else a conversation at the terminal."""

import argparse
import sys

from planact.base.errors import InvalidInput
from planact.cli.arguments import add_text, announce, request
from planact.cli.command import CliCommand, Invocation, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_text(parser, "a message; without one, a conversation at the terminal")
    parser.add_argument("--mode", choices=("plan", "act"), help="mode of the session (default: as it is, or as set)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--continue", dest="goes_on", action="store_true", help="go on in the session used last")
    which.add_argument("--session", metavar="ID", default="", help="go on in this session")
    parser.add_argument(
        "--accept-all", action="store_true", help="in Act, do everything inside the folder without a question"
    )
    parser.add_argument(
        "--image", metavar="FILE", action="append", default=[], help="an image that goes with the message; repeatable"
    )


def _run(invocation: Invocation) -> Result:
    options = invocation.options
    is_conversation = not options.text and sys.stdin.isatty()
    if is_conversation and options.json:
        raise InvalidInput("INVALID_ARGUMENTS", "a conversation can't be one JSON object", "Give a message.")
    if is_conversation and options.image:
        raise InvalidInput("INVALID_ARGUMENTS", "an image goes with a message", "Give a message, too.")
    text = "" if is_conversation else request(invocation)
    announce(invocation, "chat", is_one_row=is_conversation)
    from planact.cli.chat.conversation import handle_message_and_wait
    from planact.cli.chat.interface import make_interface
    from planact.cli.chat.opening import open_session, warnings
    from planact.cli.engine import Engine
    from planact.cli.output.images import load_image
    from planact.model.rights.permission import Mode
    from planact.workflows.chat.slash_commands import parse_slash_command

    images = [load_image(invocation.root / path) for path in options.image]
    view = make_interface(invocation) if is_conversation else None
    engine = Engine(invocation, approval="acceptAll" if options.accept_all else "", view=view)
    said = None if is_conversation else parse_slash_command(text)
    role = said.argument if said is not None and said.name == "/role" else ""
    session = open_session(engine, options.session, options.mode, options.model, last=options.goes_on, role=role)
    if view:
        return view.run(engine, session)
    for warning in warnings(engine) if session.mode is Mode.PLAN else ():  # in Act it is put right, or told
        engine.view.line(warning)
    return handle_message_and_wait(engine, session, text, images)


COMMANDS = (CliCommand("chat", "talk to the agent", _add_arguments, _run),)
