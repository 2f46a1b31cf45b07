"""`planact rules revoke ID`: what was always allowed is asked about again, from the next call on."""

import argparse

from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", metavar="ID", help="id of the rule, as planact rules lists it")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine

    revoked = Engine(call, warms_up=False).ws.ports.rules.revoke(call.options.rule)
    return Result(Exit.DONE, {"revoked": revoked.model_dump(mode="json")}, f"Revoked: {revoked.allows}")


COMMAND = Command("rules revoke", "ask again about what you always allowed", _add_arguments, _run)
