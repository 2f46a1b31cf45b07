"""`planact plan pin ID`: keep a plan whatever its age, or with `--off` no longer."""

import argparse

from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", metavar="ID", help="id of the plan or its end, or the path of its document")
    parser.add_argument("--off", action="store_true", help="pin it no longer")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine

    engine = Engine(call, warms_up=False)
    path, is_pinned = engine.plan(call.options.plan).path, not call.options.off
    engine.ws.ports.revisions.pin(path, is_pinned=is_pinned)
    told = "is pinned" if is_pinned else "is not pinned any more"
    return Result(Exit.DONE, {"path": path, "is_pinned": is_pinned}, f"{path} {told}")


COMMAND = Command("plan pin", "keep a plan whatever its age", _add_arguments, _run)
