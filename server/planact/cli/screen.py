"""Progress on standard error: one line per event, and plain where nobody watches.

What models, files and commands say is shown without control characters, which could rewrite the screen.
"""

import contextlib
import re
import sys
from collections.abc import Mapping

# C0 and C1 but tab and newline, and what turns the direction of writing round.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_DIM, _BOLD, _PLAIN = "\x1b[2m", "\x1b[1m", "\x1b[0m"
_DIFF = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
_LONGEST = 160


def printable(text: str) -> str:
    """`text` with line ends as newlines and every other control character made visible."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text.replace("\r\n", "\n"))


def fitted(text: str) -> str:
    """`text` on one line, and not too long for one."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _put(text: str) -> None:
    # Whoever watched may be gone, with a pipe or a closed window: what they don't see must not break off the work.
    with contextlib.suppress(OSError):
        print(text, end="", file=sys.stderr, flush=True)


def is_plain(environment: Mapping[str, str]) -> bool:
    """Whether the terminal, or its user, wants no colours and nothing that is drawn anew."""
    return "NO_COLOR" in environment or environment.get("TERM", "dumb") in ("dumb", "")


class Screen:
    """Standard error, as a place that people look at."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._is_styled = sys.stderr.isatty() and not is_plain(environment)
        self._is_open = False

    def line(self, text: str) -> None:
        """Whole lines."""
        self.end_line()
        _put(f"{printable(text)}\n")

    def strong(self, text: str) -> None:
        """A line that is looked for."""
        self.end_line()
        _put(f"{self._styled(_BOLD, text)}\n")

    def quiet(self, text: str) -> None:
        """Lines of little weight, indented."""
        self.end_line()
        for line in text.splitlines():
            _put(f"    {self._styled(_DIM, line)}\n")

    def difference(self, text: str) -> None:
        """A unified diff, indented; in colours where there are any."""
        self.end_line()
        for line in text.splitlines():
            style = "" if line.startswith(("+++", "---")) else _DIFF.get(line[:1], "")
            _put(f"  {self._styled(style, line) if style else printable(line)}\n")

    def piece(self, text: str) -> None:
        """A piece of a text that comes bit by bit."""
        _put(printable(text))
        self._is_open = self._is_open if not text else not text.endswith("\n")

    def end_line(self) -> None:
        """Finish a line that came bit by bit."""
        if self._is_open:
            self._is_open = False
            _put("\n")

    def _styled(self, style: str, text: str) -> str:
        return f"{style}{printable(text)}{_PLAIN}" if self._is_styled else printable(text)
