"""`planact plan "…"`: make a plan from a request, given as words or piped in."""

import argparse

from planact.cli.call import Call, Command, Result
from planact.cli.request import add_text, announce, request


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_text(parser, "what to plan; after -- also a text that begins like a subcommand")


def _run(call: Call) -> Result:
    text = request(call)
    announce(call, "plan")
    from planact.cli.engine import Engine
    from planact.cli.trips import plan_for
    from planact.model.permission import Mode
    from planact.workflows.choose_model import check_model
    from planact.workflows.sessions import new_session

    engine = Engine(call)
    check_model(engine.ws, Mode.PLAN)
    return plan_for(engine, new_session(engine.ws, Mode.PLAN).id, text)


COMMAND = Command("plan", "make a plan from a request", _add_arguments, _run)
