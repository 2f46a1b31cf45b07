"""Markdown that comes bit by bit: what of it is whole and can stay as it is shown, and what still changes. Pure."""

import re

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_GOES_ON = re.compile(r"\s|[-*+] |\d+[.)] |(?:[-*+]|\d+[.)]?)\Z")
"""How a line begins that may belong to the block above an empty line, such as the next item of a list, or may yet come
to begin so.
"""

_LONGEST = 4_000


def settled(text: str) -> int:
    """How many characters at the beginning are whole blocks that nothing to come can change."""
    fence, place, end, is_blank = "", 0, 0, False
    for line in text.splitlines(keepends=True):
        if is_blank and not fence and line.strip() and not _GOES_ON.match(line):
            end = place
        fence = _fence_after(fence, line)
        is_blank = not line.strip()
        place += len(line)
    return end


def tail(text: str) -> str:
    """The end of an unsettled text, as long as anybody can see of it at once; code stays code."""
    if len(text) <= _LONGEST:
        return text
    start = text.find("\n", len(text) - _LONGEST) + 1 or len(text) - _LONGEST
    fence = ""
    for line in text[:start].splitlines(keepends=True):
        fence = _fence_after(fence, line)
    return f"{fence}\n{text[start:]}" if fence else text[start:]


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open after a line, or nothing."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    closes = found[1].startswith(fence) and not line.strip().strip(fence[0])
    return "" if closes else fence
