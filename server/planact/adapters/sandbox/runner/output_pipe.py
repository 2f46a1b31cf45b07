"""Both streams of a command through one pipe."""

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
from typing import Protocol

_CHUNK = 65_536


class Takes(Protocol):
    """The receiver of a command's output."""

    def add(self, data: bytes, *, is_last: bool = False) -> None:
        """Add bytes; `is_last` ends the output."""

    @property
    def text(self) -> str:
        """Return the kept output."""


class OutputPipe:
    """Both streams of a command through one pipe, so that their order is kept. Read on the event loop."""

    def __init__(self, output: Takes) -> None:
        self._output = output
        self._loop = asyncio.get_running_loop()
        self._read_end, self.write_end = os.pipe()
        self.input = subprocess.DEVNULL
        self.errors: int | None = None
        self.closed = asyncio.Event()

    def __enter__(self) -> "OutputPipe":
        if sys.platform == "win32":
            threading.Thread(target=self._read_in_thread, daemon=True).start()
        else:
            os.set_blocking(self._read_end, False)
            self._loop.add_reader(self._read_end, self._read)
        return self

    def __exit__(self, *_: object) -> None:
        self.close_write_end()
        if sys.platform != "win32":  # there the thread still reads from it, and closes it
            self._loop.remove_reader(self._read_end)
            os.close(self._read_end)

    def close_write_end(self) -> None:
        if self.write_end >= 0:
            os.close(self.write_end)
        self.write_end = -1

    def drain(self) -> None:
        """Read the output that has arrived, no more than fits into a pipe."""
        for _ in range(32):
            if self.closed.is_set() or not self._read():
                break
        self._output.add(b"", is_last=True)

    def _read(self) -> bool:
        try:
            data = os.read(self._read_end, _CHUNK)
        except BlockingIOError:
            return False
        self._take(data)
        return True

    def _take(self, data: bytes) -> None:
        if data:
            self._output.add(data)
            return
        if sys.platform != "win32":
            self._loop.remove_reader(self._read_end)
        self.closed.set()

    def _read_in_thread(self) -> None:
        with contextlib.suppress(OSError, RuntimeError):  # the loop may be closed before the pipe is
            data = b"-"
            while data:
                data = os.read(self._read_end, _CHUNK)
                self._loop.call_soon_threadsafe(self._take, data)
        os.close(self._read_end)
