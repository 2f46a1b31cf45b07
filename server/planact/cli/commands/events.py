"""`planact events` and `planact metrics`: events of the folder, and their sums."""

import argparse
import os
import select
import sys
import time
from typing import get_args

from planact.base.errors import InvalidInput, NotFound
from planact.cli.arguments import full_id
from planact.cli.command import CliCommand, Exit, Invocation, Result, no_arguments
from planact.cli.output.screen import printable, put_out

# --- events

_PAGE = 1_000
_POLL_SECONDS = 0.5
"""Between two reads of new events: short enough to watch, long enough to cost the machine little."""


def _add_events_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--follow", action="store_true", help="go on with new events as they come, until Ctrl-C")
    parser.add_argument("--session", default="", metavar="ID", help="only those of one conversation")
    parser.add_argument("--kind", action="append", default=[], metavar="KIND", help="only these; may be repeated")


def _events(invocation: Invocation) -> Result:
    """Print events of all processes, one a line; with `--json` each as an object on a line of its own."""
    from planact.cli.engine import Engine
    from planact.cli.output.show import event_text
    from planact.model.runs.journal import EventKind

    options = invocation.options
    unknown = next((kind for kind in options.kind if kind not in get_args(EventKind)), None)
    if unknown is not None:
        kinds = ", ".join(get_args(EventKind))
        raise InvalidInput("INVALID_ARGUMENTS", f"there is no kind of event {unknown!r}", f"The kinds are {kinds}")
    ports = Engine(invocation, warms_up=False).ws.ports
    ids = [session.id for session in ports.sessions.list()]
    session_id = full_id(options.session, ids)
    if session_id and session_id not in ids:
        raise NotFound("SESSION_NOT_FOUND", f"there is no session {options.session!r}", "See: planact sessions")
    mark = 0
    try:
        while True:
            events, end = ports.events.after(mark, _PAGE, session_id, options.kind)
            if end != mark:
                lines = (
                    event.model_dump_json(ensure_ascii=True) if options.json else printable(event_text(event))
                    for event in events
                )
                put_out("".join(f"{line}\n" for line in lines), end="")
                mark = end
                continue
            if not options.follow or _is_reader_gone():
                break
            time.sleep(_POLL_SECONDS)
    except KeyboardInterrupt:
        return Result(Exit.INTERRUPTED, {}, is_seen=True)
    return Result(Exit.DONE, {}, next_step="" if mark else "There are no such events in this folder.")


def _is_reader_gone() -> bool:
    """Return whether standard output is a pipe that no process reads any more; a write would tell only later."""
    if os.name != "posix":
        return False
    poll = select.poll()
    poll.register(sys.stdout, 0)
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(0))


# --- metrics


def _metrics(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.output.show import metrics_text
    from planact.workflows.history.metrics import measure

    metrics = measure(Engine(invocation, warms_up=False).ws)
    return Result(Exit.DONE, metrics.model_dump(mode="json"), metrics_text(metrics))


COMMANDS = (
    CliCommand("events", "list what happened in the folder, one event a line", _add_events_arguments, _events),
    CliCommand("metrics", "add up refusals, questions, cost and time", no_arguments, _metrics),
)
