"""`planact planandact "…"`: make a plan and carry it out; one that isn't safe waits for the user's yes, always."""

import argparse

from planact.cli.call import Call, Command, Result
from planact.cli.request import add_text, announce, request


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_text(parser, "what to do")
    parser.add_argument("-y", "--yes", action="store_true", help="start a safe plan without the moment to stop it")


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
    return plan_and_act_on(engine, new_session(engine.ws, Mode.PLAN).id, text, waits=not call.options.yes)


COMMAND = Command("planandact", "make a plan and carry it out if it is safe, else ask", _add_arguments, _run)
