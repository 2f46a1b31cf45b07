"""The parser of the command line, and its commands as a tree, for shell completion."""

import argparse
from typing import NoReturn

from planact import __version__
from planact.base.errors import InvalidInput
from planact.cli.command import CliCommand
from planact.cli.commands import COMMANDS

_SERVE = "the language server, on standard input and output"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InvalidInput("INVALID_ARGUMENTS", message, see_help(self.prog.removeprefix("planact").strip()))


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of command lines. It takes the two words of a subcommand, such as `plan list`, as one."""
    parser = _top_parser()
    parser.epilog = f"For editors, planact serve is {_SERVE}."
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        added = commands.add_parser(
            command.name,
            prog=f"planact {command.name}",
            help=command.summary,
            description=_sentence(command.summary),
            epilog=subcommands(command.name),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(added)
        _add_common(added, is_top=False)
    return parser


def command_tree() -> argparse.ArgumentParser:
    """Return a parser for shell completion, with each subcommand below its command: `list` below `plan`."""
    parser = _top_parser()
    commands = parser.add_subparsers(title="commands")
    groups: dict[str, list[CliCommand]] = {}
    for command in COMMANDS:
        groups.setdefault(command.name.partition(" ")[0], []).append(command)
    for head, group in groups.items():
        added = _add_word(commands, head, group[0].summary)
        if [command.name for command in group] == [head]:
            group[0].add_arguments(added)
            continue
        below = added.add_subparsers(title="subcommands")  # alone, since zsh offers nothing else where a text may stand
        for command in group:
            if word := command.name.partition(" ")[2]:
                command.add_arguments(_add_word(below, word, command.summary))
    _add_word(commands, "serve", _SERVE)
    return parser


def _add_word(
    words: "argparse._SubParsersAction[argparse.ArgumentParser]", word: str, summary: str
) -> argparse.ArgumentParser:
    added = words.add_parser(word, help=summary, description=_sentence(summary))
    _add_common(added, is_top=False)
    return added


def subcommands(name: str) -> str:
    """Return the subcommands of `planact name`, one a line; empty if it has none."""
    below = [(each.name, each.summary) for each in COMMANDS if each.name.startswith(f"{name} ")]
    width = max((len(each) for each, _ in below), default=0)
    lines = [f"  planact {each:<{width}}  {summary}" for each, summary in below]
    return "\n".join(["subcommands:", *lines]) if lines else ""


def see_help(command: str) -> str:
    """Return the hint that names the help of a command, or of the program for an empty string."""
    return f"See: planact {command} --help" if command else "See: planact --help"


def _top_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="planact",
        description="An AI coding agent: it plans in a document, and acts when you approve.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"planact {__version__}")
    _add_common(parser, is_top=True)
    return parser


def _sentence(summary: str) -> str:
    return f"{summary[:1].upper()}{summary[1:]}."


def _add_common(parser: argparse.ArgumentParser, *, is_top: bool) -> None:
    """Add the common options, which may stand before the command's name or after it. After it they have no default,
    which would overwrite a value given before.
    """
    group = parser.add_argument_group("common options")

    def add(name: str, default: object, **more: object) -> None:
        group.add_argument(name, default=default if is_top else argparse.SUPPRESS, **more)  # type: ignore[arg-type]

    add("--model", "", metavar="NAME", help="model as litellm names it, or scripted:FILE")
    add("--planner-model", "", metavar="NAME", help="model for Plan, if another")
    add("--actor-model", "", metavar="NAME", help="model for Act, if another")
    add("--cwd", ".", metavar="FOLDER", help="workspace folder (default: the current one)")
    add("--answers", "", metavar="FILE", help="YAML file that answers questions")
    add("--defaults", False, action="store_true", help="take the agent's defaults for its questions, noted as assumed")
    add("--json", False, action="store_true", help="print one JSON object")
    add("--json-lines", False, action="store_true", help="the same, after a line of JSON for each event as it happens")
