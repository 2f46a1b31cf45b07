"""Lines for Windows' shells that are known whole. Their languages aren't parsed: any other line is unknown.

For cmd only its builtins: it looks for programs in the current folder first, so `git status` may run the workspace's.
"""

from typing import Literal

from planact.base.span import Span
from planact.base.text import word_set
from planact.model.rights.classification import Classification

_BUILTINS = frozenset(("cd", "date /t", "dir", "dir /b", "dir /s", "echo %cd%", "path", "time /t", "ver", "vol"))
_POWERSHELL = frozenset(
    (
        "get-childitem",
        "get-childitem -force",
        "get-childitem -name",
        "get-date",
        "get-location",
        "get-process",
        "get-psdrive",
        "get-service",
        "git branch",
        "git diff",
        "git diff --cached",
        "git diff --stat",
        "git log",
        "git log --oneline",
        "git remote -v",
        "git rev-parse head",
        "git show",
        "git status",
        "git status --short",
        "node --version",
        "npm --version",
        "pip --version",
        "pip list",
        "python --version",
        "whoami",
    )
)
_LINES: dict[str, frozenset[str]] = {"cmd": _BUILTINS, "powershell": _POWERSHELL | word_set("dir ls pwd hostname")}


def classify_static(line: str, shell: Literal["cmd", "powershell"]) -> Classification:
    """`local-read` for a line on the list, in any case of letters, else `unknown`."""
    span = Span(0, len(line))
    if line.strip(" ").casefold() in _LINES[shell]:
        return Classification("local-read", "static", "a line that only reads", span, frozenset({"plain"}))
    return Classification("unknown", "static", f"lines of {shell} are only known whole", span)
