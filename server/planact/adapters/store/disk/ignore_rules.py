"""Patterns in the language of `.gitignore`, matched in time linear in the path.

Ignore files come with hostile repositories, and the usual translation to a regular expression needs hours for a name
such as `*a*a*a*a*a*a*b`: here each `*` takes the first place where the rest fits, and never backtracks.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_CLASSES = {
    "[:alnum:]": "a-zA-Z0-9",
    "[:alpha:]": "a-zA-Z",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:space:]": r"\s",
    "[:upper:]": "A-Z",
    "[:xdigit:]": "0-9a-fA-F",
}
_ANYTHING = "[^/]*"
_BRACKETS = re.compile(r"\[([!^]?)(\]?(?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]", re.DOTALL)

LARGEST_IGNORE_FILE = 64_000
"""Bytes; the time to prepare the rules grows with them."""


class IgnoreRules:
    """The rules of one ignore file in the directory `base`, which is relative to the root (empty = the root itself).
    Case counts, unless it `folds_case`.

    Attributes:
        is_empty: there are no rules.
    """

    def __init__(self, lines: Iterable[str], base: str = "", *, folds_case: bool = False) -> None:
        self._base = f"{base}/" if base else ""
        self._folds_case = folds_case
        self._rules = tuple(_rules(line.casefold() if folds_case else line for line in lines))
        self.is_empty = not self._rules
        # Most paths match none: one expression for names and one for paths find that out.
        self._any_name = _any([rule.expression for rule in self._rules if rule.is_for_names])
        self._any_path = _any([rule.expression for rule in self._rules if not rule.is_for_names])
        self._any_entry = _any_entry([rule.expression for rule in self._rules if rule.is_for_names])
        paths = [rule for rule in self._rules if not rule.is_for_names]
        self._has_far_paths = any(rule.place is None for rule in paths)
        places = dict.fromkeys(rule.place for rule in paths if rule.place is not None)
        self._places = [(re.compile(parent, re.DOTALL), _any_entry([name])) for parent, name in places]

    def can_match(self, directory: str, names: str) -> bool:
        """Return False where no rule matches an entry of `directory` (relative to the root, empty = the root itself);
        `names` are the entries', each after a `/`. That is mostly so, and quicker than a verdict for each.
        """
        above = f"{directory}/" if directory else ""
        if self.is_empty or not above.startswith(self._base):
            return False
        parent = above[len(self._base) :].removesuffix("/")
        if self._folds_case:
            parent, names = parent.casefold(), names.casefold()
        return (
            self._has_far_paths
            or _has(self._any_entry, names)
            or any(there.fullmatch(parent) and _has(entry, names) for there, entry in self._places)
        )

    def verdict(self, path: str, *, is_directory: bool) -> bool | None:
        """Return whether the last matching rule ignores `path` (relative to the root, with `/`); None when no rule
        matches.

        Only `path` itself is matched: the entries of an ignored directory are ignored as well, whatever their own
        rules.
        """
        if self.is_empty or not path.startswith(self._base):
            return None
        path = path[len(self._base) :]
        path = path.casefold() if self._folds_case else path
        name = path[path.rfind("/") + 1 :]
        if not (_fits(self._any_name, name) or _fits(self._any_path, path)):
            return None
        for rule in reversed(self._rules):
            subject = name if rule.is_for_names else path
            if (is_directory or not rule.only_directories) and re.fullmatch(rule.expression, subject, re.DOTALL):
                return rule.ignores
        return None

    def hides(self, path: str, *, is_directory: bool) -> bool:
        """Return True if `path` or a directory above it is ignored."""
        if self.is_empty:
            return False
        parts = path.split("/")
        return any(
            self.verdict("/".join(parts[:count]), is_directory=is_directory or count < len(parts))
            for count in range(1, len(parts) + 1)
        )


class _Rule(NamedTuple):
    """One line: its matches (a name anywhere, or a path), and whether it ignores them or takes that back. `place` are
    the parts of a path before and after its last `/`; None where there may be more between them.
    """

    expression: str
    is_for_names: bool
    ignores: bool
    only_directories: bool
    place: tuple[str, str] | None


def _any(expressions: Sequence[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(expressions), re.DOTALL) if expressions else None


def _fits(pattern: re.Pattern[str] | None, text: str) -> bool:
    return pattern is not None and pattern.fullmatch(text) is not None


def _any_entry(expressions: Sequence[str]) -> Sequence[re.Pattern[str]]:
    """Return patterns that find a name which fits one of the expressions among names that each follow a `/`: one for
    the beginnings of names, and one for their ends, since a search for those need not begin with each name.
    """
    ends = [each.removeprefix(_ANYTHING) for each in expressions if each.startswith(_ANYTHING)]
    whole = [each for each in expressions if not each.startswith(_ANYTHING)]
    first = {each.removeprefix("\\")[:1] if each[:1] not in ("[", "(") else "" for each in whole}
    ahead = "" if "" in first else f"(?=[{''.join(map(re.escape, sorted(first)))}])"
    parts = [f"/{ahead}(?:{'|'.join(whole)})"] if whole else []
    parts += [f"(?:{'|'.join(ends)})"] if ends else []
    return [re.compile(f"{part}(?![^/])", re.DOTALL) for part in parts]


def _has(patterns: Sequence[re.Pattern[str]], names: str) -> bool:
    return any(pattern.search(names) is not None for pattern in patterns)


def _rules(lines: Iterable[str]) -> Iterator[_Rule]:
    for line in lines:
        pattern = _without_trailing_spaces(line.rstrip("\r\n"))
        ignores = not pattern.startswith("!")
        pattern = pattern if ignores else pattern[1:]
        if not pattern or pattern.startswith("#"):
            continue
        path = pattern.removesuffix("/")
        expression = _translate(path) if path else None
        if expression is not None:
            parent, _, name = path.removeprefix("/").rpartition("/")
            is_far = "**" in path.split("/")
            place = None if is_far else (_translate(f"/{parent}") or "", _segment(name) or "")
            yield _Rule(expression, "/" not in path, ignores, pattern.endswith("/"), place)


def _without_trailing_spaces(line: str) -> str:
    stripped = line.rstrip(" ")
    escapes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if escapes % 2 and stripped != line else stripped


def _translate(pattern: str) -> str | None:
    """Return the expression, or None for a malformed pattern, which matches no path."""
    if "/" not in pattern:
        return _segment(pattern)
    groups: list[list[str]] = [[]]
    for part in pattern.removeprefix("/").split("/"):
        if part == "**":
            groups.append([])
            continue
        segment = _segment(part)
        if not segment:
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
    """Return the expression for a name, or None for a malformed pattern, which matches no path."""
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
    return first + "".join(f"(?>[^/]*?{piece})" for piece in rest) + f"{_ANYTHING}{last}"


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
