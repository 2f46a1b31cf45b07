"""Variables that a command line may set: those that steer how output is shown, and names of the line's own.

Most variables of real environments name a program, a library or a configuration for some tool. Words that lead into the
session's scratch folder may be the target of a redirection; the kernel enforces this: in the jails of these lines no
other folder can be written, links followed.
"""

import posixpath
import re
from collections.abc import Container, Sequence

from planact.base.text import word_set
from planact.model.rights.classification import CommandClass
from planact.shell.parse.syntax import Block, Simple, walk_tree
from planact.shell.words import ShellWord

_TEXT = re.compile(r"[\w.@:+,%-]*\Z", re.ASCII)
_SHOWN = {
    "LANG": _TEXT,
    "LANGUAGE": _TEXT,
    "TZ": re.compile(r"[A-Za-z][\w+-]*(?:/[A-Za-z][\w+-]*)*\Z", re.ASCII),
    "COLUMNS": _TEXT,
    "LINES": _TEXT,
    "NO_COLOR": _TEXT,
    "CLICOLOR": _TEXT,
    "FORCE_COLOR": _TEXT,
    "GREP_COLORS": _TEXT,
    "TERM": re.compile(r"(dumb|xterm|xterm-256color)\Z"),
    "PAGER": re.compile(r"(cat)?\Z"),
    "GIT_PAGER": re.compile(r"(cat)?\Z"),
    "GH_PAGER": re.compile(r"(cat)?\Z"),
    "AWS_PAGER": re.compile(r"(cat)?\Z"),
    "MANPAGER": re.compile(r"cat\Z"),
    "SYSTEMD_PAGER": re.compile(r"(cat)?\Z"),
    "GIT_OPTIONAL_LOCKS": re.compile(r"0\Z"),
    "GIT_TERMINAL_PROMPT": re.compile(r"0\Z"),
    "GH_NO_UPDATE_NOTIFIER": _TEXT,
    "GH_PROMPT_DISABLED": _TEXT,
    "AWS_REGION": _TEXT,
    "AWS_DEFAULT_REGION": _TEXT,
    "AWS_PROFILE": _TEXT,
    "AWS_DEFAULT_OUTPUT": re.compile(r"(json|text|table|yaml)\Z"),
    "PYTHONDONTWRITEBYTECODE": _TEXT,
    "PYTHONIOENCODING": _TEXT,
    "PYTHONUTF8": _TEXT,
}
_OWN = re.compile(r"[a-z_][a-z0-9_]*\Z|[A-Z]\Z|(FILES?|DIRS?|BRANCH|BASE|COMMIT|SHA|COUNT|NAMES?)\Z", re.ASCII)
_OF_SHELL = ("PWD", "OLDPWD", "TMPDIR", "HOME", "USER", "SHELL", "RANDOM", "SECONDS", "PIPESTATUS", "LINENO")
_STEERING = re.compile(r"_\Z|histchars\Z|auto_resume\Z|.*_proxy\Z|npm_|pip_|git_|yarn_|cargo_|bash|ld_|dyld_")


def may_be_given(name: str, value: ShellWord) -> bool:
    """Return True if a command may be started with `name=value` in its environment."""
    pattern = _TEXT if re.fullmatch(r"LC_[A-Z]+", name) else _SHOWN.get(name)
    return pattern is not None and value.is_exact and bool(pattern.match(value.text))


def may_be_set(name: str) -> bool:
    """Return True if the shell may set the variable for itself, to any value: no known program reads it."""
    return bool(_OWN.match(name)) and not _STEERING.match(name)


def is_of_environment(name: str) -> bool:
    """Return whether a variable that a line doesn't set itself comes from its environment."""
    return name.isidentifier() and name not in _OF_SHELL


_VARIABLES = ("TMPDIR", "TMP", "TEMP")
_WRITERS = frozenset(("chmod", "mkdir", "mktemp", "rm", "rmdir", "touch", "truncate"))
_COPIERS = frozenset(("cp", "ln", "mv"))
_OF_ONE_REPOSITORY = word_set(
    """
    add am apply branch checkout cherry-pick clean commit config init merge mv rebase reset restore revert rm stash
    switch tag
    """
)
"""What git does in the repository where it runs, and asks no other for."""

_NAMES_TARGET = re.compile(r"--t|-[A-Za-z]*t")
_TEMPORARY = ("/tmp/", "/var/tmp/")  # noqa: S108 - named to tell of a better one


def known_variables(scratch: str, home: str, tree: Block, bound: Container[str]) -> dict[str, ShellWord]:
    """Return the variables with known values at the start of the line, by name, and `~` for the home folder.

    Left out are those that the line sets itself (`bound`) or starts a command with.
    """
    given = {each.name for node in walk_tree(tree) if isinstance(node, Simple) for each in node.assignments}
    found = {name: ShellWord(scratch) for name in _VARIABLES if scratch and name not in bound and name not in given}
    return found | ({"~": ShellWord(home)} if home and "HOME" not in bound and "HOME" not in given else {})


def is_in_scratch(word: ShellWord, scratch: str, directories: Sequence[str], *, may_be_many: bool = False) -> bool:
    """The word is exactly one path below the folder, from each of the `directories` where it may be used; a pattern or
    braces after such a path, too, if it `may_be_many`. Never one with `..`.
    """
    is_one = word.is_exact and word.is_one
    is_known = is_one or (may_be_many and word.is_many and not word.is_open)
    if not scratch or not is_known or ".." in word.text.split("/"):
        return False
    paths = [posixpath.join(directory, word.text) for directory in directories]
    ends = [posixpath.normpath(path) + ("/" if path.endswith("/") and not is_one else "") for path in paths]
    return all(end.startswith(f"{scratch}/") for end in ends)


def may_be_in_scratch(word: ShellWord, scratch: str, directories: Sequence[str]) -> bool:
    """The word is one path of which only the beginning is known, and whatever comes behind, it stays in the folder,
    unless a link there leads out of it.
    """
    if not scratch or not word.is_solid or ".." in word.text:
        return False
    return all(posixpath.normpath(posixpath.join(at, word.text)).startswith(f"{scratch}/") for at in directories)


def are_in_scratch(words: Sequence[ShellWord], scratch: str, directories: Sequence[str]) -> bool:
    """All of them are paths of the folder, as far as their text tells."""
    return all(
        is_in_scratch(word, scratch, directories, may_be_many=True) or may_be_in_scratch(word, scratch, directories)
        for word in words
    )


def is_git_in_scratch(words: Sequence[ShellWord], scratch: str, directories: Sequence[str]) -> bool:
    """The words call git for a repository in the folder, as far as their text tells."""
    rest = words[1:]
    if len(rest) > 1 and rest[0].is_exact and rest[0].text == "-C":
        is_known = rest[1].is_solid or (rest[1].is_exact and rest[1].is_one)
        directories = [posixpath.join(at, rest[1].text) for at in directories] if is_known else []
        rest = rest[2:]
    verb = rest[0].text if rest and rest[0].is_exact else ""
    named = [word for word in rest[1:] if not word.text.startswith("-")]
    if verb == "init" and len(named) == 1:
        return are_in_scratch(named, scratch, directories)
    is_there = bool(directories) and all(is_within(posixpath.normpath(at), scratch) for at in directories)
    return is_there and verb in _OF_ONE_REPOSITORY


def is_within(path: str, scratch: str) -> bool:
    """A normal path is the folder or lies in it."""
    return bool(scratch) and (path == scratch or path.startswith(f"{scratch}/"))


def class_of_writer(
    program: str, words: Sequence[ShellWord], scratch: str, directories: Sequence[str]
) -> CommandClass | None:
    """Return the class of a program that changes files, where all its targets lie in the folder. `words` are its call.

    `tee` does no more than a redirection, the others run contained. None where it would change any other file.
    """
    if program.startswith("git "):
        return "unknown" if is_git_in_scratch(words, scratch, directories) else None
    words = words[1:]
    named = [word for word in words if not (word.is_exact and word.text.startswith("-"))]
    options = {word.text for word in words} - {word.text for word in named}
    if program in _COPIERS and any(map(_NAMES_TARGET.match, options)):
        return None
    if program == "mktemp" and "-t" in options:
        named = [word for word in named if "/" in word.text or not word.is_exact]
    changed = named[-1:] if program in _COPIERS else named[1:] if program == "chmod" else named
    is_one = program == "tee"
    if is_one:
        are_there = all(is_in_scratch(word, scratch, directories) for word in changed)
    else:
        are_there = are_in_scratch(changed, scratch, directories)
    if not (scratch and are_there and (changed or program == "mktemp")):
        return None
    if is_one:
        return "local-read" if options <= {"-a", "--append"} else None
    return "unknown" if program in _COPIERS or program in _WRITERS else None


def class_of_output(word: ShellWord, scratch: str, directories: Sequence[str]) -> tuple[CommandClass, str]:
    """Return the class of a redirection into a file that isn't surely a temporary one, and the reason."""
    if may_be_in_scratch(word, scratch, directories):
        return "unknown", "output goes to a temporary file whose name only running can tell"
    return "mutating", _output_refusal(word, scratch)


def _output_refusal(word: ShellWord, scratch: str) -> str:
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
