"""Lines for Windows' cmd that are known whole. Its language isn't parsed: any other line is unknown.

Only its builtins: it looks for programs in the current folder first, so `git status` may run the workspace's.
"""

from planact.base.span import Span
from planact.model.rights.classification import Classification

_LINES = frozenset(("cd", "date /t", "dir", "dir /b", "dir /s", "echo %cd%", "path", "time /t", "ver", "vol"))


def classify_static(line: str) -> Classification:
    """Return `local-read` for a line on the list, in any case of letters, else `unknown`."""
    span = Span(0, len(line))
    if line.strip(" ").casefold() in _LINES:
        return Classification("local-read", "static", "a line that only reads", span, frozenset({"plain"}))
    return Classification("unknown", "static", "lines of cmd are only known whole", span)
