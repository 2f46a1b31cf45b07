"""`planact chat`: talk to the agent, once with a message or piped input, else at the terminal."""

import argparse
import sys

from planact.base.errors import InvalidInput
from planact.cli.call import Call, Command, Result
from planact.cli.request import add_text, announce, request


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


def _run(call: Call) -> Result:
    options = call.options
    is_talk = not options.text and sys.stdin.isatty()
    if is_talk and options.json:
        raise InvalidInput("INVALID_ARGUMENTS", "a conversation can't be one JSON object", "Give a message.")
    if is_talk and options.image:
        raise InvalidInput("INVALID_ARGUMENTS", "an image goes with a message", "Give a message, too.")
    text = "" if is_talk else request(call)
    announce(call, "chat", is_one_row=is_talk)
    from planact.cli.engine import Engine
    from planact.cli.pictures import picture
    from planact.cli.talk.front import make_front
    from planact.cli.talk.opening import open_session
    from planact.cli.trips import hear

    images = [picture(call.root / path) for path in options.image]
    view = make_front(call) if is_talk else None
    engine = Engine(call, approval="acceptAll" if options.accept_all else "", view=view)
    session = open_session(engine, options.session, options.mode, options.model, last=options.goes_on)
    return view.talk(engine, session) if view else hear(engine, session, text, images)


COMMAND = Command("chat", "talk to the agent", _add_arguments, _run)
