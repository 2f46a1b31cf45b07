r"""Patterns in the language of `.gitignore`, matched in time linear in the path.

Ignore files come with hostile repositories, and the usual translation to a regular expression needs hours for a name
such as `*a*a*a*a*a*a*b`: here each `*` settles for the first place where what follows it fits, and never comes back.
"""

import re
from collections.abc import Iterable, Iterator

_CLASSES = {
    "[:alnum:]": "a-zA-Z0-9",
    "[:alpha:]": "a-zA-Z",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:space:]": r"\s",
    "[:upper:]": "A-Z",
    "[:xdigit:]": "0-9a-fA-F",
}
_BRACKETS = re.compile(r"\[([!^]?)(\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]", re.DOTALL)
_MOST_RULES = 10_000
_LONGEST = 1000


class IgnoreRules:
    """The rules of one ignore file in the directory `base`, which is relative to the root (empty = the root itself)."""

    def __init__(self, lines: Iterable[str], base: str = "") -> None:
        self._base = f"{base}/" if base else ""
        self._rules = tuple(_rules(lines))
        # Most paths match none: one expression finds that out.
        self._any = re.compile("|".join(rule.pattern for rule, _, _ in self._rules)) if self._rules else None

    def verdict(self, path: str, *, is_directory: bool) -> bool | None:
        """Whether the last rule that matches ignores `path` (relative to the root, with `/`); None when none does.

        Only `path` itself is looked at: what lies in an ignored directory is ignored as well, whatever its own rules.
        """
        if self._any is None or not path.startswith(self._base):
            return None
        path = path.removeprefix(self._base)
        if not self._any.fullmatch(path):
            return None
        for rule, ignores, only_directories in reversed(self._rules):
            if (is_directory or not only_directories) and rule.fullmatch(path):
                return ignores
        return None

    def hides(self, path: str, *, is_directory: bool) -> bool:
        """Whether `path` or a directory it lies in is ignored."""
        parts = path.split("/")
        return any(
            self.verdict("/".join(parts[:count]), is_directory=is_directory or count < len(parts))
            for count in range(1, len(parts) + 1)
        )


def _rules(lines: Iterable[str]) -> Iterator[tuple[re.Pattern[str], bool, bool]]:
    """Expression, whether it ignores (or takes back), whether only directories are meant."""
    for number, line in enumerate(lines):
        if number >= _MOST_RULES:
            return
        pattern = _without_trailing_spaces(line.rstrip("\r\n"))
        ignores = not pattern.startswith("!")
        pattern = pattern if ignores else pattern[1:]
        if not pattern or pattern.startswith("#") or len(pattern) > _LONGEST:
            continue
        path = pattern.rstrip("/")
        expression = _translate(path) if path else None
        if expression is not None:
            yield re.compile(expression, re.DOTALL), ignores, pattern.endswith("/")


def _without_trailing_spaces(line: str) -> str:
    stripped = line.rstrip(" ")
    escapes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if escapes % 2 and stripped != line else stripped


def _translate(pattern: str) -> str | None:
    parts = pattern.removeprefix("/").split("/")
    if "/" not in pattern:
        parts = ["**", *parts]
    groups: list[list[str]] = [[]]
    for part in parts:
        if part == "**":
            groups.append([])
            continue
        segment = _segment(part)
        if segment is None:
            return None
        groups[-1].append(segment)
    head, *middle = ["/".join(group) for group in groups]
    if not middle:
        return head
    *middle, tail = middle
    expression = f"{head}/" if head else ""
    for group in filter(None, middle):
        expression += f"(?>(?:[^/]+/)*?{group}/)"
    return expression + (f"(?:[^/]+/)*{tail}" if tail else ".+")


def _segment(part: str) -> str | None:
    """The expression for a name, or None when the pattern is malformed and so matches nothing."""
    pieces = [""]
    at = 0
    while at < len(part):
        character = part[at]
        at += 1
        if character == "*":
            pieces += [""] if pieces[-1] or len(pieces) == 1 else []
        elif character == "?":
            pieces[-1] += "[^/]"
        elif character == "[":
            brackets = _BRACKETS.match(part, at - 1)
            if not brackets:
                return None
            pieces[-1] += _set(brackets[1], brackets[2])
            at = brackets.end()
        elif character == "\\":
            if at == len(part):
                return None
            pieces[-1] += re.escape(part[at])
            at += 1
        else:
            pieces[-1] += re.escape(character)
    first, *rest = pieces
    if not rest:
        return first
    *rest, last = rest
    return first + "".join(f"(?>[^/]*?{piece})" for piece in rest) + f"[^/]*{last}"


def _set(negation: str, content: str) -> str:
    members = ""
    for member in re.findall(r"\[:[a-z]+:\]|\\.|.", content, re.DOTALL):
        if member in _CLASSES:
            members += _CLASSES[member]
        elif member == "-":
            members += "-" if members else r"\-"
        else:
            members += re.escape(member[-1])
    if members.endswith("-"):
        members = members[:-1] + r"\-"
    try:
        re.compile(f"[{members}]")
    except re.error:  # a range that runs backwards
        return "(?!)"
    return f"(?!/)[{'^' if negation else ''}{members}]"
