"""`planact rules`: what the user always allows in this folder."""

import argparse

from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("word", metavar="list", nargs="?", choices=("list",), help="the same, spelled out")


def _run(call: Call) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.show import rules_text

    kept = Engine(call, warms_up=False).ws.ports.rules.list()
    data = {"rules": [rule.model_dump(mode="json") | {"text": str(rule.allows)} for rule in kept]}
    if not kept:
        return Result(Exit.DONE, data, next_step='No rule yet. "Always allow" in an approval question makes one.')
    return Result(Exit.DONE, data, rules_text(kept), "Revoke one with: planact rules revoke ID")


COMMAND = Command("rules", "list what you always allow in this folder", _add_arguments, _run)
