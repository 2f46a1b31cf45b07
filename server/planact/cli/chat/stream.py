"""Streamed Markdown: its finished blocks, and the end that still changes. Pure."""

import re

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_GOES_ON = re.compile(r"\s|[-*+] |\d+[.)] |(?:[-*+]|\d+[.)]?)\Z")
"""Beginning of a line that may continue the block above an empty line, such as the next item of a list; also an
incomplete one.
"""

_LONGEST = 4_000


def finished_length(text: str) -> int:
    """Return the length of the finished blocks at the beginning, which later text can't change."""
    fence, place, end, is_blank = "", 0, 0, False
    for line in text.splitlines(keepends=True):
        if is_blank and not fence and line.strip() and not _GOES_ON.match(line):
            end = place
        fence = _fence_after(fence, line)
        is_blank = not line.strip()
        place += len(line)
    return end


def visible_end(text: str) -> str:
    """Return the end of an unfinished text, at most 4,000 characters; a cut code block gets its fence again."""
    if len(text) <= _LONGEST:
        return text
    start = text.find("\n", len(text) - _LONGEST) + 1 or len(text) - _LONGEST
    fence = ""
    for line in text[:start].splitlines(keepends=True):
        fence = _fence_after(fence, line)
    return f"{fence}\n{text[start:]}" if fence else text[start:]


def _fence_after(fence: str, line: str) -> str:
    """Return the fence that is open after a line, or an empty string."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    closes = found[1].startswith(fence) and not line.strip().strip(fence[0])
    return "" if closes else fence
