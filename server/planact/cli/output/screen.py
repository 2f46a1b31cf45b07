"""Progress on standard error: one line per event, without styles where standard error is no terminal.

Texts of models, files and commands are printed without control characters, which could rewrite the screen.
"""

import contextlib
import re
import sys
from collections.abc import Mapping

from planact.base.errors import StorageFailure
from planact.cli.output.own_marks import LineStarts

# C0 and C1 except tab and newline, and the characters that change the direction of writing.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_DIM, _BOLD, _PLAIN = "\x1b[2m", "\x1b[1m", "\x1b[0m"
_DIFF = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}


def printable(text: str) -> str:
    """Return `text` with newlines as line ends and each other control character escaped in hexadecimal."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text.replace("\r\n", "\n"))


def fitted(text: str, most: int = 160) -> str:
    """Return `text` on one line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def put_error(text: str) -> None:
    """Print to standard error. Its reader may be gone, with a pipe or a closed window; the work goes on without it."""
    with contextlib.suppress(OSError):
        print(text, end="", file=sys.stderr, flush=True)


def put_out(text: str, end: str = "\n") -> None:
    """Print to standard output at once.

    Raises:
        BrokenPipeError: its reader is gone.
        StorageFailure: STORAGE_UNWRITABLE, when it can't be written, as on a full disk.
    """
    try:
        print(text, end=end, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"the output can't be written: {error.strerror or error}"
        raise StorageFailure("STORAGE_UNWRITABLE", message, "Free space, or send it elsewhere") from error


def is_plain(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal or its user wants neither colours nor redrawing."""
    return "NO_COLOR" in environment or environment.get("TERM", "dumb") in ("dumb", "")


class Screen:
    """Standard error, for people: styled if it is a terminal that knows styles."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._is_styled = sys.stderr.isatty() and not is_plain(environment)
        self._is_open = False
        self._answer = LineStarts()

    def line(self, text: str) -> None:
        """Print whole lines."""
        self.end_line()
        put_error(f"{printable(text)}\n")

    def strong(self, text: str) -> None:
        """Print a line in bold."""
        self.end_line()
        put_error(f"{self._styled(_BOLD, text)}\n")

    def quiet(self, text: str) -> None:
        """Print lines dimmed and indented."""
        self.end_line()
        for line in text.splitlines():
            put_error(f"    {self._styled(_DIM, line)}\n")

    def difference(self, text: str) -> None:
        """Print a unified diff, indented, with colours if the screen is styled."""
        self.end_line()
        for line in text.splitlines():
            style = "" if line.startswith(("+++", "---")) else _DIFF.get(line[:1], "")
            put_error(f"  {self._styled(style, line) if style else printable(line)}\n")

    def answer(self, text: str) -> None:
        """Print a piece of a model's streamed answer, whose lines can't pass for planact's own."""
        self.piece(self._answer.take(text))

    def piece(self, text: str) -> None:
        """Print a piece of a line."""
        put_error(printable(text))
        self._is_open = self._is_open if not text else not text.endswith("\n")

    def typed(self, text: str) -> None:
        """Note what was typed behind the last piece: its newline, which the terminal shows, has ended the line."""
        self._is_open = self._is_open and not text.endswith("\n")

    def end_line(self) -> None:
        """End the line that is being streamed, if there is one."""
        self.piece(self._answer.end())
        if self._is_open:
            self._is_open = False
            put_error("\n")

    def _styled(self, style: str, text: str) -> str:
        return f"{style}{printable(text)}{_PLAIN}" if self._is_styled else printable(text)
