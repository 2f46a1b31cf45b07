"""`planact events`: what happened in the folder, and with `--follow` what happens, in whatever process.

With `--json` each event is an object on a line of its own.
"""

import argparse
import os
import select
import sys
import time
from typing import get_args

from planact.base.errors import InvalidInput, NotFound
from planact.cli.call import Call, Command, Exit, Result
from planact.cli.screen import printable

_PAGE = 1_000
_WAIT_SECONDS = 0.5
"""Between two looks for new events: short enough to watch, too long to be felt by the machine."""


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--follow", action="store_true", help="go on with new events as they come, until Ctrl-C")
    parser.add_argument("--session", default="", metavar="ID", help="only those of one conversation")
    parser.add_argument("--kind", action="append", default=[], metavar="KIND", help="only these; may be repeated")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.show import event_text
    from planact.model.event import EventKind

    options = call.options
    unknown = next((kind for kind in options.kind if kind not in get_args(EventKind)), None)
    if unknown is not None:
        kinds = ", ".join(get_args(EventKind))
        raise InvalidInput("INVALID_ARGUMENTS", f"there is no kind of event {unknown!r}", f"The kinds are {kinds}")
    ports = Engine(call, warms_up=False).ws.ports
    if options.session and options.session not in [session.id for session in ports.sessions.list()]:
        raise NotFound("SESSION_NOT_FOUND", f"there is no session {options.session!r}", "See: planact sessions")
    mark = 0
    try:
        while True:
            events, end = ports.events.after(mark, _PAGE, options.session, options.kind)
            for event in events:
                print(event.model_dump_json() if options.json else printable(event_text(event)))
            if end != mark:
                mark = end
                continue
            sys.stdout.flush()
            if not options.follow or _is_reader_gone():
                break
            time.sleep(_WAIT_SECONDS)
    except KeyboardInterrupt:
        return Result(Exit.INTERRUPTED, {}, is_seen=True)
    return Result(Exit.DONE, {}, next_step="" if mark else "There are no such events in this folder.")


def _is_reader_gone() -> bool:
    """Whether standard output is a pipe that nobody reads any more, which else only the next event would show."""
    if os.name != "posix":
        return False
    poll = select.poll()
    poll.register(sys.stdout, 0)
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(0))


COMMAND = Command("events", "list what happened in the folder, one event a line", _add_arguments, _run)
