"""The streams of a program that goes on beside the work: its input, its output, and the end of its errors."""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import AsyncIterator
from functools import partial
from typing import BinaryIO

import psutil

from planact.base.flood import FloodError, Meter

_CHUNK = 65_536
_LAST_WORDS = 2_000


class PipedProgram:
    """`ports.Program`, as long as its `ProgramPipes` are open."""

    def __init__(
        self, pid: int, output: asyncio.StreamReader, errors: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._pid = pid
        self._output = output
        self._errors = errors
        self._writer = writer
        self._last_words = b""
        self._meter_of_errors = Meter()

    @property
    def last_words(self) -> str:
        return self._last_words.decode("utf-8", "replace")

    async def read(self) -> bytes:
        return await self._output.read(_CHUNK)

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    def memory(self) -> int:
        total = 0
        with contextlib.suppress(psutil.Error):
            program = psutil.Process(self._pid)
            for each in (program, *program.children(recursive=True)):
                with contextlib.suppress(psutil.Error):
                    total += each.memory_info().rss
        return total

    async def listen(self) -> None:
        """Keep the end of what it says of its errors, for as long as it says something. After a flood of them, nothing
        more is read of it: its reader gets a FloodError.
        """
        try:
            while data := await self._errors.read(_CHUNK):
                self._meter_of_errors.count(len(data), 0, 0)
                self._last_words = (self._last_words + data)[-_LAST_WORDS:]
        except FloodError as flood:
            self._output.set_exception(flood)


class ProgramPipes:
    """Three pipes, and the ends that a program gets of them."""

    def __init__(self) -> None:
        self.input, self._to_input = os.pipe()
        self._from_output, self.write_end = os.pipe()
        self._from_errors, errors = os.pipe()
        self.errors: int | None = errors
        self._ours: list[BinaryIO] = []

    def __enter__(self) -> "ProgramPipes":
        self._ours = [os.fdopen(end, "rb", 0) for end in (self._from_output, self._from_errors)]
        self._ours.append(os.fdopen(self._to_input, "wb", 0))
        return self

    def __exit__(self, *_: object) -> None:
        self.close_write_end()
        for file in self._ours:
            with contextlib.suppress(OSError):
                file.close()

    def close_write_end(self) -> None:
        """Close the program's ends, once it has them."""
        for end in (self.input, self.write_end, self.errors):
            if end is not None and end >= 0:
                os.close(end)
        self.input = self.write_end = -1
        self.errors = None

    @contextlib.asynccontextmanager
    async def streams(self, process: "subprocess.Popen[bytes]") -> AsyncIterator[PipedProgram]:
        """Yield the streams of the program that has the other ends."""
        loop = asyncio.get_running_loop()
        output, errors, written = self._ours
        transports: list[asyncio.BaseTransport] = []
        readers = []
        listening: asyncio.Task[None] | None = None
        try:
            for file in (output, errors):
                readers.append(asyncio.StreamReader(limit=_CHUNK))
                protocol = asyncio.StreamReaderProtocol(readers[-1])
                transports.append((await loop.connect_read_pipe(partial(_given, protocol), file))[0])
            # A reader's protocol has what a writer needs to wait until the pipe takes more.
            closing = asyncio.StreamReaderProtocol(asyncio.StreamReader())
            transport, _ = await loop.connect_write_pipe(partial(_given, closing), written)
            transports.append(transport)
            writer = asyncio.StreamWriter(transport, closing, None, loop)
            piped = PipedProgram(process.pid, readers[0], readers[1], writer)
            listening = asyncio.ensure_future(piped.listen())
            yield piped
        finally:
            if listening is not None:
                listening.cancel()
            for each in transports:
                if not each.is_closing():  # it closes by itself when the program does
                    each.abort() if isinstance(each, asyncio.WriteTransport) else each.close()


def _given(protocol: asyncio.StreamReaderProtocol) -> asyncio.StreamReaderProtocol:
    return protocol
