"""Variables that a command line may set: those that steer how output is shown, and names of the line's own.

Most variables of real environments name a program, a library or a configuration for some tool.
"""

import re

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
_STEERING = re.compile(r"_\Z|histchars\Z|auto_resume\Z|.*_proxy\Z|npm_|pip_|git_|yarn_|cargo_|bash|ld_|dyld_")


def may_be_given(name: str, value: ShellWord) -> bool:
    """Return True if a command may be started with `name=value` in its environment."""
    pattern = _TEXT if re.fullmatch(r"LC_[A-Z]+", name) else _SHOWN.get(name)
    return pattern is not None and value.is_exact and bool(pattern.match(value.text))


def may_be_set(name: str) -> bool:
    """Return True if the shell may set the variable for itself, to any value: no known program reads it."""
    return bool(_OWN.match(name)) and not _STEERING.match(name)
