"""What is searched for: a pattern, a filter for names, and the program that finds it."""

import os
import re
import shutil
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from planact.adapters.store.disk.ignore_rules import IgnoreRules
from planact.base.errors import InvalidInput
from planact.model.file import SearchPage

_LONGEST_PATTERN = 2000
_MOST_GLOBS = 64


@dataclass(frozen=True, slots=True)
class Search:
    """A query: a Python regular expression, or text, for at most `limit` lines, `per_file` of one file, within
    `seconds`.
    """

    pattern: str
    limit: int
    per_file: int
    is_literal: bool
    seconds: float


def find_ripgrep(search_path: str, root: Path) -> str | None:
    """Return the absolute path of `rg`, by `find_program`."""
    return find_program("rg", search_path, root)


def find_program(name: str, search_path: str, root: Path) -> str | None:
    """Return the absolute path of a program on `search_path` (as in `PATH`); never one from the workspace, which may be
    hostile, nor one by a link in it.
    """
    folders = [folder for folder in search_path.split(os.pathsep) if Path(folder).is_absolute()]
    for folder in folders:
        found = shutil.which(str(Path(folder) / name))
        if found and not any(Path(each).resolve().is_relative_to(root) for each in (folder, found)):
            return found
    return None


def compile_search(pattern: str, page: SearchPage, seconds: float, *, is_literal: bool) -> Search:
    """Check a pattern. Raises InvalidInput INVALID_ARGUMENTS."""
    if "\n" in pattern or "\0" in pattern:
        raise InvalidInput(
            "INVALID_ARGUMENTS", "the pattern has a line break, and each line is searched alone", "Search for one line"
        )
    if len(pattern) > _LONGEST_PATTERN:
        raise _bad_pattern(pattern, f"it has more than {_LONGEST_PATTERN} characters")
    try:
        pattern.encode()
        with warnings.catch_warnings():
            # Nested sets mean something else in ripgrep, and soon in Python.
            warnings.simplefilter("error")
            re.compile(re.escape(pattern) if is_literal else pattern)
    except re.error as error:
        raise _bad_pattern(pattern, f"{error.msg} at position {error.pos}") from error
    except (Warning, OverflowError, RecursionError, UnicodeError) as error:
        raise _bad_pattern(pattern, str(error)) from error
    limit = page.skip + page.limit
    return Search(pattern, limit, min(page.per_file or limit, limit), is_literal, seconds)


def compile_glob(glob: str) -> IgnoreRules | None:
    """Return a filter for file names such as `*.py`, `src/**/*.{ts,tsx}` or `!*.md`; None when `glob` is empty."""
    if not glob:
        return None
    rules = [glob]
    while any("{" in rule for rule in rules) and len(rules) <= _MOST_GLOBS:
        rules = [expanded for rule in rules for expanded in _expand(rule)]
    # Whatever matches a filter that only leaves out passes by the first rule.
    return IgnoreRules(["*", *rules] if glob.startswith("!") else rules)


def _expand(glob: str) -> Sequence[str]:
    """Return the alternatives of the first innermost braces."""
    braces = re.search(r"\{([^{}]*)\}", glob)
    if not braces:
        return (glob.replace("{", r"[{]"),)
    return [glob[: braces.start()] + choice + glob[braces.end() :] for choice in braces[1].split(",")]


def _bad_pattern(pattern: str, cause: str) -> InvalidInput:
    return InvalidInput(
        "INVALID_ARGUMENTS",
        f"the pattern {pattern[:80]!r} can't be read: {cause}",
        "Escape characters that are meant literally, or search for literal text",
    )
