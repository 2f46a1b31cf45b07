"""Markdown code, in a line and in lines of its own, written so that any content comes back unchanged."""

import re
from bisect import bisect_right

from planact.base.text import named

_TICKS = re.compile(r"`+")
_PLAIN_PATH = re.compile(r"[\w./-]+")


def longest_run(value: str) -> int:
    """Return the length of the longest run of backticks."""
    return max((len(run) for run in _TICKS.findall(value)), default=0)


def wrap(value: str) -> str:
    """`value` as a code span, with as many backticks as it takes."""
    ticks = "`" * (longest_run(value) + 1)
    pad = " " if value.startswith("`") or value.endswith("`") else ""
    return f"{ticks}{pad}{value}{pad}{ticks}"


def path_in_text(path: str) -> str:
    """Return a path for a line of Markdown: as it is where no character of it can be markup or end a name, else as code
    in which everything is visible.
    """
    return path if _PLAIN_PATH.fullmatch(path) and named(path) == path else path_as_code(path)


def path_as_code(path: str) -> str:
    """Return a path as a code span that stays in its line, and in which everything is visible."""
    return wrap(named(path))


def in_list(name: str) -> str:
    """Return a name as it stands in a list with commas."""
    return wrap(name) if "," in name or "`" in name else name


def fenced(text: str, language: str = "") -> str:
    """Return `text` between fences that no line of it can close, so that it can't pass for the text around it."""
    fence = "`" * max([3, *(len(run) + 1 for run in _TICKS.findall(text))])
    return f"{fence}{language}\n{text}\n{fence}"


def unwrap(text: str) -> str:
    """Return the content if `text` is one code span, else `text`."""
    opening = _TICKS.match(text)
    if not opening:
        return text
    length = opening.end()
    closing = next((run for run in _TICKS.finditer(text, length) if len(run.group()) == length), None)
    if closing is None or closing.end() != len(text):
        return text
    inside = text[length : closing.start()]
    is_padded = inside.startswith(" ") and inside.endswith(" ") and inside.strip(" ")
    return inside[1:-1] if is_padded else inside


def split_list(text: str) -> list[str]:
    """The parts of a list with commas; commas inside code spans don't count, code spans stay."""
    inside = _spans(text)
    starts = [start for start, _ in inside]
    parts, at = [], 0
    for match in re.finditer(",", text):
        nearest = bisect_right(starts, match.start()) - 1
        if nearest < 0 or inside[nearest][1] <= match.start():
            parts.append(text[at : match.start()])
            at = match.end()
    return [*parts, text[at:]]


def _spans(text: str) -> list[tuple[int, int]]:
    runs = [match.span() for match in _TICKS.finditer(text)]
    by_length: dict[int, list[int]] = {}
    for start, end in runs:
        by_length.setdefault(end - start, []).append(start)
    spans: list[tuple[int, int]] = []
    at = 0
    for start, end in runs:
        if start < at:
            continue
        same = by_length[end - start]
        nearest = bisect_right(same, start)
        if nearest < len(same):
            at = same[nearest] + (end - start)
            spans.append((start, at))
    return spans
