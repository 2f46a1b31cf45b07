"""The session's scratch folder in a command line: words that lead into it may be the target of a redirection.

The kernel enforces this: in the jails of these lines no other folder can be written, links followed.
"""

import posixpath
import re
from collections.abc import Container, Sequence

from planact.model.rights.classification import CommandClass
from planact.shell.syntax import Block, Simple, walk_tree
from planact.shell.words import ShellWord

_VARIABLES = ("TMPDIR", "TMP", "TEMP")
_WRITERS = frozenset(("mkdir", "mktemp", "rm", "rmdir", "touch", "truncate"))
_COPIERS = frozenset(("cp", "ln", "mv"))
_TEMPORARY = ("/tmp/", "/var/tmp/")  # noqa: S108 - named to tell of a better one


def known_variables(scratch: str, home: str, tree: Block, bound: Container[str]) -> dict[str, ShellWord]:
    """Return the variables with known values at the start of the line, by name, and `~` for the home folder.

    Left out are those that the line sets itself (`bound`) or starts a command with.
    """
    given = {each.name for node in walk_tree(tree) if isinstance(node, Simple) for each in node.assignments}
    found = {name: ShellWord(scratch) for name in _VARIABLES if scratch and name not in bound and name not in given}
    return found | ({"~": ShellWord(home)} if home and "HOME" not in bound and "HOME" not in given else {})


def is_in_scratch(word: ShellWord, scratch: str) -> bool:
    """The word is exactly one absolute path below the folder, without `..`."""
    if not scratch or not word.is_exact or not word.is_one or ".." in word.text.split("/"):
        return False
    return posixpath.normpath(word.text).startswith(f"{scratch}/")


def is_within(path: str, scratch: str) -> bool:
    """A normal path is the folder or lies in it."""
    return bool(scratch) and (path == scratch or path.startswith(f"{scratch}/"))


def class_of_writer(program: str, words: Sequence[ShellWord], scratch: str) -> CommandClass | None:
    """Return the class of a program that changes files, where all its targets lie in the folder.

    `tee` does no more than a redirection, the others run contained. None where it would change any other file.
    """
    named = [word for word in words if not (word.is_exact and word.text.startswith("-"))]
    options = {word.text for word in words} - {word.text for word in named}
    if not scratch or (not named and program != "mktemp"):
        return None
    changed = named[-1:] if program in _COPIERS else named
    if not all(is_in_scratch(word, scratch) for word in changed):
        return None
    if program == "tee":
        return "local-read" if options <= {"-a", "--append"} else None
    return "unknown" if program in _COPIERS or program in _WRITERS else None


def output_refusal(word: ShellWord, scratch: str) -> str:
    """Return the reason why a redirection into a file is refused, and the way to a temporary file."""
    path = posixpath.normpath(word.text)
    if not scratch or not f"{path}/".startswith(_TEMPORARY):
        return "output goes to a file"
    name = posixpath.basename(path)
    example = name if re.fullmatch(r"\w[\w.-]*", name, re.ASCII) and word.is_exact else "x"
    return (
        "output goes to a file. Write scratch output to $TMPDIR (a folder of this session), "
        f'e.g. `> "$TMPDIR/{example}"`'
    )
