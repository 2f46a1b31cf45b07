"""`planact planandact "…"`: make a plan and carry it out; one that isn't safe waits for the user's yes, always."""

import argparse

from planact.cli.call import Call, Command, Result
from planact.cli.request import add_text, announce, request


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_text(parser, "what to do")
    parser.add_argument("-y", "--yes", action="store_true", help="start a safe plan without the moment to stop it")
    parser.add_argument(
        "--self-scrutinize",
        action="store_true",
        help="have the plan reviewed, and revised once by that, before it starts",
    )


def _run(call: Call) -> Result:
    text = request(call)
    announce(call, "plan")
    from planact.cli.engine import Engine
    from planact.cli.trips import plan_and_act_on
    from planact.model.permission import Mode
    from planact.workflows.choose_model import check_model
    from planact.workflows.sessions import new_session

    engine = Engine(call)
    check_model(engine.ws, Mode.PLAN)
    session_id, options = new_session(engine.ws, Mode.PLAN).id, call.options
    is_scrutinized = options.self_scrutinize
    return plan_and_act_on(engine, session_id, text, waits=not options.yes, is_scrutinized=is_scrutinized)


COMMAND = Command("planandact", "make a plan and carry it out if it is safe, else ask", _add_arguments, _run)
