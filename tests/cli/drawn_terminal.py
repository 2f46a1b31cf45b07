"""A person at a terminal that can be drawn on: what they see is what an emulator makes of all that was written."""

import fcntl
import os
import re
import select
import struct
import termios
import time
from collections.abc import Callable

import pyte

from tests.cli.program import Program
from tests.cli.terminal import Terminal

_HARMLESS = re.compile(
    rb"\x1b\[[0-9;?]*[A-Za-z]"  # colours, places, what is drawn when
    rb"|\x1b[()][AB0]|\x1b[=>78M]|[\n\r\t\x08]"
)


class DrawnTerminal(Terminal):
    """`sees` is the screen with what went by above it, without what was drawn over."""

    def __init__(self, program: Program, *words: str, columns: int = 90, rows: int = 30) -> None:
        program.variables = {"TERM": "xterm-256color"} | program.variables
        self._screen = pyte.HistoryScreen(columns, rows, history=2_000, ratio=0.01)
        self._stream = pyte.ByteStream(self._screen)
        self.written = b""
        super().__init__(program, *words, size=(rows, columns))

    @property
    def screen(self) -> list[str]:
        """The lines on the screen."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def sees(self) -> str:
        """What went by and what is there."""
        gone = ["".join(line[at].data for at in range(self._screen.columns)) for line in self._screen.history.top]
        return "\n".join(line.rstrip() for line in (*gone, *self._screen.display))

    def until(self, text: str, seconds: float = 180) -> None:
        self.until_so(lambda: text in self.sees, text, seconds)

    def until_gone(self, text: str) -> None:
        self.until_so(lambda: text not in "\n".join(self.screen), f"no {text}")

    def until_so(self, is_so: Callable[[], bool], what: str, seconds: float = 180) -> None:
        end = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < end, f"{what!r} is missing in:\n{self.sees}"
            if select.select([self.descriptor], [], [], 0.5)[0]:
                try:
                    self._read()
                except OSError:
                    raise AssertionError(f"it ended without {what!r}:\n{self.sees}") from None

    def resizes(self, columns: int, rows: int) -> None:
        self._screen.resize(rows, columns)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def foreign(self) -> set[bytes]:
        """Control characters and sequences that no drawing needs."""
        return set(re.findall(rb"\x1b.{0,8}|[\x00-\x1f\x7f]", _HARMLESS.sub(b"", self.written)))

    def _read(self) -> str:
        piece = os.read(self.descriptor, 4096)
        self.written += piece
        self._stream.feed(piece)
        return "read" if piece else ""
