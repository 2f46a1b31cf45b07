"""Background commands, and the end of their output."""

import asyncio
import codecs
import contextlib
from collections.abc import Callable, Coroutine
from time import monotonic
from typing import Any

from planact.model.rights.command import CommandResult, OutputPiece

_QUIET_SECONDS = 0.25
"""So long a command says nothing when it has said what it had to say."""


class OutputLog:
    """The last `limit` characters of an output that may never end; each character keeps its number."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._start = 0
        self.text = ""
        self.more = asyncio.Event()

    def add(self, data: bytes, *, is_last: bool = False) -> None:
        """Add bytes; `is_last` ends the output."""
        self.text += self._decoder.decode(data, is_last)
        if len(self.text) > 2 * self._limit:  # not with each piece: that would copy it all again and again
            self._start += len(self.text) - self._limit
            self.text = self.text[-self._limit :]
        self.more.set()

    def read(self, after: int, limit: int) -> OutputPiece:
        """Return at most `limit` characters from number `after` on, or from the first that is still kept."""
        begin = min(max(after, self._start), self._start + len(self.text))
        text = self.text[begin - self._start :][:limit]
        return OutputPiece(text, begin + len(text), begin - after, self._start + len(self.text) - begin - len(text))


class BackgroundCommand:
    """`ports.Running`: `run` is the command, which goes on until it ends or is cancelled."""

    def __init__(self, run: Callable[[OutputLog], Coroutine[Any, Any, CommandResult]], kept: int) -> None:
        self._begun = monotonic()
        self._log = OutputLog(kept)
        self._task = asyncio.ensure_future(run(self._log))

    @property
    def seconds(self) -> float:
        return monotonic() - self._begun

    @property
    def is_over(self) -> bool:
        return self._task.done()

    @property
    def result(self) -> CommandResult | None:
        """Return the result; None while it runs. Raises CommandFailure, when it could not be started."""
        if not self._task.done():
            return None
        if self._task.cancelled():
            return CommandResult(None, "", "stopped", 0)
        return self._task.result()

    def read(self, after: int, limit: int) -> OutputPiece:
        return self._log.read(after, limit)

    async def wait(self, after: int, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self._task.done() and not self._log.read(after, 1).text:
                    await self._more(None)
                while not self._task.done() and await self._more(_QUIET_SECONDS):
                    pass

    async def _more(self, seconds: float | None) -> bool:
        """Wait for more output or the end; return False when the time is over before."""
        self._log.more.clear()
        saying = asyncio.ensure_future(self._log.more.wait())
        try:
            done, _ = await asyncio.wait({saying, self._task}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            saying.cancel()
        return bool(done)

    async def stop(self) -> None:
        """End the command and all its processes; they are gone when this returns."""
        self._task.cancel()
        await asyncio.wait([self._task])
