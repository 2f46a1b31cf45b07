"""Which commands may open other files than the line names: through links, by their program, or by a word that is known
only when the line runs.
"""

import re
from itertools import dropwhile

from planact.shell.table import CommandCall
from planact.shell.words import PIPE, ShellWord

_DESCRIPTOR = re.compile(r"/dev/fd/\d+")
_OF_SHELL = ("PWD", "OLDPWD", "TMPDIR", "HOME", "USER", "SHELL", "RANDOM", "SECONDS", "PIPESTATUS", "LINENO")
_OF_JQ = re.compile(r"\b(?:import|include)\b|\$(?:ENV|__prog)|(?<![.\w])env\b")


def is_descriptor(word: ShellWord) -> bool:
    """Return whether a path is a file that is open already."""
    return word.text == PIPE or (word.is_exact and _DESCRIPTOR.fullmatch(word.text) is not None)


def is_unsure(word: ShellWord) -> bool:
    """Return whether a path may lead elsewhere than its text says: its end isn't known, or it goes up again from a
    folder that it names, which may be a link.
    """
    parts = (part for part in word.text.split("/") if part not in ("", "."))
    return not word.is_exact or ".." in dropwhile("..".__eq__, parts)


def is_of_environment(name: str) -> bool:
    """Return whether a variable that a line doesn't set itself comes from its environment."""
    return name.isidentifier() and name not in _OF_SHELL


def may_tell_more(call: CommandCall) -> bool:
    """Return whether a command may open files that its words don't name, by links in a folder or by its program, or
    print the environment.
    """
    match call.command.name:
        case "diff":
            return any(word.text not in ("-", PIPE) for word in call.arguments)
        case "grep" | "egrep" | "fgrep" | "rg":
            return call.has("-R", "--dereference-recursive", "-L", "--follow")
        case "jq" | "gojq":
            is_unread = call.has("-f", "--from-file", "-L")
            # Modules are named first, so what begins with a dot names none.
            words = [word for word in call.arguments if not word.is_exact or _OF_JQ.search(word.text)]
            return is_unread or any(word.is_exact or not word.text.startswith(".") for word in words)
        case "env":
            return all("=" in word.text for word in call.arguments)
        case "ps":
            return any("e" in word.text and not word.text.startswith("-") for word in call.arguments)
        case "awk" | "mawk" | "nawk" | "gawk":
            return any("ENVIRON" in word.text for word in call.arguments)
        case _:
            return False
