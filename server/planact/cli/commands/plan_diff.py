"""`planact plan diff ID`: what changed in a plan, since its last revision or between any two."""

import argparse

from planact.base.text import counted
from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", metavar="ID", help="id of the plan or its end, or the path of its document")
    parser.add_argument("--from", dest="number", metavar="N", type=int, default=0, help="a revision; default: the last")
    parser.add_argument("--to", dest="other", metavar="N", type=int, default=0, help="another; default: as it is now")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.workflows.revisions import compare

    engine = Engine(call, warms_up=False)
    document = engine.plan(call.options.plan)
    found = compare(engine.ws, document, call.options.number, call.options.other)
    kept = engine.ws.ports.revisions.list(document.path)
    rows = [{"number": each.number, "author": each.author, "time": each.time} for each in kept]
    count = counted(len(kept), "revision")
    next_step = f"{count} of {document.path}. To go back to one: planact plan restore {call.options.plan} N"
    data = {"path": document.path, "diff": found.diff, "revisions": rows}
    return Result(Exit.DONE, data, found.diff.rstrip("\n") or "No difference.", next_step if kept else "")


COMMAND = Command("plan diff", "show what changed in a plan", _add_arguments, _run)
