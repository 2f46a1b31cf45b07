"""Lines of a plan: which are fenced code, how far they are indented, and how text is escaped.

Fences are read across the whole body first, since the lines inside one have no meaning for the plan.
"""

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from planact.base.span import Span
from planact.plan.syntax.grammar import ESCAPED, FENCE


class Line(NamedTuple):
    """A line without its end; `is_fenced` also for the lines that open and close."""

    start: int
    end: int
    text: str
    is_fenced: bool


class Scan(NamedTuple):
    """Lines, and the closing line that a fence still open at the end is missing, with where it opened."""

    lines: list[Line]
    open_fence: str
    opened_at: Span


def scan(text: str, spans: Sequence[Span]) -> Scan:
    """Cut lines out of `text` and tell which are fenced."""
    fence, opened_at = "", Span(0, 0)
    if "```" not in text and "~~~" not in text:
        cut = ((start, end, text[start:end], False) for start, end in spans)
        return Scan(list(map(partial(tuple.__new__, Line), cut)), fence, opened_at)
    lines: list[Line] = []
    for start, end in spans:
        line = text[start:end]
        match = FENCE.match(line) if "```" in line or "~~~" in line else None
        lines.append(Line(start, end, line, bool(fence or match)))
        if match and not fence:
            fence, opened_at = match.group(), Span(start, end)
        elif match and _closes(line, fence):
            fence = ""
    return Scan(lines, fence, opened_at)


def _closes(line: str, fence: str) -> bool:
    closing, opening = line.strip(" \t"), fence.lstrip(" \t")
    return closing.startswith(opening) and not closing.strip(opening[0]) and indent_of(line) <= indent_of(fence) + 3


def line_at(text: str, offset: int) -> Span:
    """The line that holds `offset`, without its end."""
    start = text.rfind("\n", 0, offset) + 1
    start = text.rfind("\r", start, offset) + 1 or start
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    carriage_return = text.find("\r", offset, end)
    return Span(start, end if carriage_return < 0 else carriage_return)


def indent_of(line: str) -> int:
    """Columns before the first other character, with tab stops at every fourth."""
    lead = line[: len(line) - len(line.lstrip(" \t"))]
    return len(lead.expandtabs(4)) if "\t" in lead else len(lead)


def is_blank(line: str) -> bool:
    """The line has no visible character."""
    return not line.strip(" \t")


def unbroken(text: str) -> str:
    """Return `text` on one line: line ends, with the blanks around them, become one blank; both ends are trimmed."""
    if "\n" not in text and "\r" not in text:
        return text.strip(" \t")
    return " ".join(part for line in re.split(r"[\r\n]+", text) if (part := line.strip(" \t")))


def escape(line: str) -> str:
    """Return `line` so that it is neither heading, quote nor fence."""
    match = ESCAPED.match(line)
    return f"{line[: match.end()]}\\{line[match.end() :]}" if match else line


def unescape(line: str) -> str:
    """The inverse of `escape`."""
    match = ESCAPED.match(line)
    return line[: match.end() - 1] + line[match.end() :] if match and match.group().endswith("\\") else line


def block_text(lines: Iterable[Line]) -> str:
    """The text that people meant: blank lines around it gone, and the escapes."""
    return trim([line.text if line.is_fenced else unescape(line.text) for line in lines])


def trim(lines: list[str]) -> str:
    """Join lines, without the blank ones at both ends and the blanks behind the last."""
    first, last = 0, len(lines)
    while first < last and is_blank(lines[first]):
        first += 1
    while first < last and is_blank(lines[last - 1]):
        last -= 1
    return "\n".join(lines[first:last]).rstrip(" \t")
