"""The commands that one run started and that go on beside its work, such as a server: none outlives the run."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from planact.base.errors import Conflict, NotFound
from planact.ports import Before, Protected, Running

MAX_RUNNING = 8

FIRST_WORDS_SECONDS = 2.0
"""So long what was started is listened to at once."""

KEPT_OUTPUTS = 10
"""How many times what the model sees of an output at once is kept of it."""


@dataclass(slots=True)
class Started:
    """One of them. Of its output the model reads `limit` characters at once, and has read `seen`."""

    command: str
    running: Running
    limit: int
    seen: int = 0


@dataclass(slots=True)
class Background:
    """Those of one run, by id.

    Attributes:
        before: how the protected files were when nothing of these commands could have touched them.
        put_back: makes them so again, and writes that down.
        files: how the files were that are looked at, when the first of these commands was started in a step or went on
            into it.
    """

    before: Protected | None = None
    put_back: Callable[[Protected], object] | None = None
    files: Before | None = None
    _started: dict[str, Started] = field(default_factory=dict)

    @property
    def names(self) -> str:
        """The commands, for people."""
        return ", ".join(started.command for started in self._started.values())

    async def look(self, at_files: Callable[[], Before]) -> None:
        """Take note of how files are before the first of them is started."""
        if self.files is None:
            self.files = await asyncio.to_thread(at_files)

    async def changed(self, at_files: Callable[[], Before]) -> Sequence[str]:
        """The files that changed since, by them or by somebody else; looks at them anew where one goes on."""
        if self.files is None:
            return ()
        touches = await asyncio.to_thread(self.files.found)
        goes_on = any(not started.running.is_over for started in self._started.values())
        self.files = await asyncio.to_thread(at_files) if goes_on else None
        return [touch.path for touch in touches]

    def check_room(self) -> None:
        """Raises Conflict BUSY, when as many run as may."""
        if sum(not started.running.is_over for started in self._started.values()) >= MAX_RUNNING:
            raise Conflict("BUSY", f"{MAX_RUNNING} commands run already", "Stop one with stop_command.")

    def add(self, started: Started) -> str:
        """Keep what was started; returns its id."""
        name = f"c{len(self._started) + 1}"
        self._started[name] = started
        return name

    async def output_of(self, name: str, seconds: float) -> str:
        """What one said since it was read last, for the model; if nothing yet, after up to so many seconds.

        Raises:
            NotFound: COMMAND_NOT_FOUND. CommandFailure: it could not be started.
        """
        started = self._get(name)
        await started.running.wait(started.seen, seconds)
        piece, result = started.running.read(started.seen, started.limit), started.running.result
        started.seen = piece.end
        lines = [
            result.ending if result else f"running for {started.running.seconds:.0f} s",
            f"[… {piece.lost} characters left out …]" if piece.lost else "",
            piece.text,
            f"[{piece.left} more characters: read again]" if piece.left else "",
        ]
        return "\n".join([lines[0], *filter(None, lines[1:])])

    async def stop(self, name: str) -> str:
        """End one; how it ended and what it said last, for the model. Raises what `output_of` raises."""
        running = self._get(name).running
        if not running.is_over:
            await running.stop()
        return await self.output_of(name, 0)

    async def end(self) -> None:
        """End all that still run, and undo what they did to files that git and planact act on."""
        if self._started:
            await asyncio.gather(*(started.running.stop() for started in self._started.values()))
        if self.before is not None and self.put_back is not None:
            self.put_back(self.before)

    def _get(self, name: str) -> Started:
        if name not in self._started:
            known = ", ".join(self._started) or "none"
            raise NotFound("COMMAND_NOT_FOUND", f"no command {name[:40]!r} was started in this run", f"Ids: {known}.")
        return self._started[name]
