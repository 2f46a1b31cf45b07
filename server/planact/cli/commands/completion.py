"""`planact completion SHELL`: a script with which a shell completes planact's words."""

import argparse
from collections.abc import Iterator

from planact.cli.command import CliCommand, Exit, Invocation, Result

_SHELLS = ("bash", "zsh", "fish")
_LIST = "planact plan list 2>/dev/null | cut -d ' ' -f 1"
_PLANS = {
    "bash": "_planact_plans",
    "zsh": "_planact_plans",
    "fish": f"({_LIST})",
    "preamble": {
        "bash": f'_planact_plans() {{ compgen -W "$({_LIST})" -- "$1"; }}',
        "zsh": f"_planact_plans() {{ compadd -- $({_LIST}) }}",
    },
}
"""Complete a plan by its id. Each shell asks planact when Tab is pressed, not when it reads the script."""


def _add_completion_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=_SHELLS, help="bash, zsh or fish")


def _completion(invocation: Invocation) -> Result:
    import shtab

    tree = invocation.command_tree()
    for action in _actions(tree):
        if action.metavar == "FILE":
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # where shtab looks for it
        elif action.metavar == "FOLDER":
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.dest in {"plan", "plan_id", "run"}:
            action.complete = _PLANS  # type: ignore[attr-defined]
    shell = invocation.options.shell
    script = shtab.complete(tree, shell)
    return Result(Exit.DONE, {"shell": shell, "script": script}, script)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:  # noqa: SLF001  (argparse has no other way to list them)
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for below in action.choices.values():
                yield from _actions(below)


COMMANDS = (
    CliCommand(
        "completion", "print a script that completes planact's words in a shell", _add_completion_arguments, _completion
    ),
)
