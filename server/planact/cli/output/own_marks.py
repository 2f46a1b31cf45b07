"""Keeps a model's lines apart from planact's own at the terminal. Pure.

A line of the model that begins with one of planact's marks gets a bar. So a model can't draw a question that planact
didn't ask, or an answer that the user didn't give.
"""

import re
import unicodedata

APART = "│ "
"""Stands before a line of the model that begins like one of planact's own."""

_STYLES = re.compile(r"\x1b\[[0-9;]*m")
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\U000e0000-\U000e0fff]"
)
_OWN = re.compile(r"\s*(?:[?!]\s|[→⊘]|(?:plan|act)\s*›)")
_BEGINNING = re.compile(r"\s*(?:[?!]|(?:p|pl|pla|plan|a|ac|act)\s*)?")
"""The beginning of a line that the next piece may turn into one of these."""


def is_like_own(line: str) -> bool:
    """Return True for a line that begins like one of planact's own, with or without styles."""
    return _OWN.match(_bare(line)) is not None


def set_apart(text: str) -> str:
    """Return a text with those of its lines set apart that begin like planact's own."""
    return "\n".join(f"{APART}{line}" if is_like_own(line) else line for line in text.split("\n"))


def _bare(line: str) -> str:
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", _STYLES.sub("", line)))


class LineStarts:
    """The lines of a streamed text. The beginning of a line is held back until it is clear whose it could be."""

    def __init__(self) -> None:
        self._held = ""
        self._is_inside = False

    def take(self, piece: str) -> str:
        """Return the part of the text so far that can be printed and wasn't returned before."""
        shown = []
        for part in re.findall(r"[^\n]*\n|[^\n]+", piece):
            if self._is_inside:
                shown.append(part)
            else:
                self._held += part
                if part.endswith("\n") or not _BEGINNING.fullmatch(_bare(self._held)):
                    shown.append(self._whole())
            self._is_inside = not part.endswith("\n") and not self._held
        return "".join(shown)

    def end(self) -> str:
        """Return what is still held back; the next piece begins a line."""
        self._is_inside = False
        return self._whole()

    def _whole(self) -> str:
        held, self._held = self._held, ""
        return f"{APART}{held}" if is_like_own(held) else held
