"""A person at a terminal of their own, in front of the real program."""

import codecs
import contextlib
import fcntl
import os
import pty
import select
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import Popen

from tests.cli.program import Program


class Terminal:
    """A person at a terminal: reads until something is there, then types. `shown` is all that was ever shown."""

    def __init__(self, program: Program, *words: str, size: tuple[int, int] = (0, 0)) -> None:
        self.descriptor, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.process = program.start_at(inner, *words)
        os.close(inner)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.seen = ""
        self.shown = ""

    def until(self, text: str, seconds: float = 180) -> None:
        end = time.monotonic() + seconds
        while text not in self.seen:
            assert time.monotonic() < end, self.seen
            assert select.select([self.descriptor], [], [], seconds)[0], self.seen
            try:
                self._read()
            except OSError:
                raise AssertionError(self.seen) from None
        self.seen = self.seen.partition(text)[2]

    def types(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def ends(self) -> int:
        with contextlib.suppress(OSError):  # its other end is closed
            while self._read():
                pass
        return self.process.wait(180)

    def _read(self) -> str:
        more = self._decoder.decode(os.read(self.descriptor, 1000))
        self.seen += more
        self.shown += more
        return more

    def close(self) -> None:
        self.process.kill()
        self.process.wait(180)
        os.close(self.descriptor)


def start_at(terminal: int, words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Popen[str]:
    """Start a program at a terminal of its own, or Ctrl-C would be a character like any other."""
    ends = {"stdin": terminal, "stdout": terminal, "stderr": terminal}

    def take_terminal() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    return Popen(
        words, cwd=folder, env=environment, text=True, **ends, start_new_session=True, preexec_fn=take_terminal
    )
