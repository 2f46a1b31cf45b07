"""`planact rules` and `planact rules revoke`: calls that the user always allows in this folder."""

import argparse

from planact.cli.arguments import full_id
from planact.cli.command import CliCommand, Exit, Invocation, Result

# --- rules


def _add_list_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("word", metavar="list", nargs="?", choices=("list",), help="the same, spelled out")


def _list(invocation: Invocation) -> Result:
    from planact.cli.engine import Engine
    from planact.cli.output.show import rules_text

    rules = Engine(invocation, warms_up=False).ws.ports.rules.list()
    data = {"rules": [rule.model_dump(mode="json") | {"text": str(rule.allows)} for rule in rules]}
    if not rules:
        return Result(Exit.DONE, data, next_step='No rule yet. "Always allow" in an approval question makes one.')
    return Result(Exit.DONE, data, rules_text(rules), "Revoke one with: planact rules revoke ID")


# --- rules revoke


def _add_revoke_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", metavar="ID", help="id of the rule, as planact rules lists it")


def _revoke(invocation: Invocation) -> Result:
    """Remove a rule; the gate asks again from the next call on."""
    from planact.cli.engine import Engine

    rules = Engine(invocation, warms_up=False).ws.ports.rules
    revoked = rules.revoke(full_id(invocation.options.rule, [rule.id for rule in rules.list()]))
    return Result(Exit.DONE, {"revoked": revoked.model_dump(mode="json")}, f"Revoked: {revoked.allows}")


COMMANDS = (
    CliCommand("rules", "list what you always allow in this folder", _add_list_arguments, _list),
    CliCommand("rules revoke", "ask again about what you always allowed", _add_revoke_arguments, _revoke),
)
