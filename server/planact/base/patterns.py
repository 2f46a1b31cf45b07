"""Regular expressions that strangers wrote, as far as they can be searched for in bounded time.

Python's search goes back and forth for ever over some. Those here have few repeats, and none within another.
"""

import re
from typing import Annotated

from pydantic import AfterValidator

MAX_SEARCHED_TEXT = 200
"""Longest text, in characters, that a bounded pattern is tried on."""

_MAX_PATTERN = 200
_MAX_REPEATS = 3
_MAX_CHOICES = 5  # repeats, optional parts and alternatives together
_ATOM = r"(?:\\[dswDSW.\-/\\+*?()\[\]{}^$|_:@]|\[(?:\\.|[^\]\\])+\]|[^\\\[\](){}*+?|^$])"
_GROUP = rf"\((?:\?:)?{_ATOM}+(?:\|{_ATOM}+)*\)"
_ITEM = re.compile(rf"(?:{_ATOM}|{_GROUP})(?P<repeat>[*+]|\{{\d{{1,3}}(?:,\d{{0,3}})?\}})?(?P<option>\?)?")


def bounded(pattern: str) -> re.Pattern[str] | None:
    """Return the compiled pattern, or None where the time of a search has no known bound."""
    if len(pattern) > _MAX_PATTERN:
        return None
    at = 1 if pattern.startswith("^") else 0
    end = len(pattern) - 1 if pattern.endswith("$") and not pattern.endswith("\\$") else len(pattern)
    repeats = choices = 0
    while at < end:
        item = _ITEM.match(pattern, at, end)
        if item is None or (item["repeat"] and item[0].startswith("(")):
            return None
        repeats += item["repeat"] is not None
        choices += (item["repeat"] is not None) + (item["option"] is not None) + item[0].count("|")
        at = item.end()
    if repeats > _MAX_REPEATS or choices > _MAX_CHOICES:
        return None
    try:
        return re.compile(pattern)
    except (re.error, OverflowError):
        return None


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    return pattern


Pattern = Annotated[str, AfterValidator(_compiles)]
"""A regular expression in a file of the user's; the time of its search has no bound."""
