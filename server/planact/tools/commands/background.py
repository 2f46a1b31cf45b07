"""Commands that run beside the work of one run, such as a server; none outlives the run."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from planact.base.errors import Conflict, NotFound
from planact.ports import Before, Protected, Running
from planact.tools.commands.kept_output import LongOutputs

MAX_RUNNING = 8

FIRST_WORDS_SECONDS = 2.0
"""Seconds that the first output of a started command is waited for."""


@dataclass(slots=True)
class StartedCommand:
    """A started command. The model has read `seen` characters of its output."""

    command: str
    running: Running
    seen: int = 0


@dataclass(slots=True)
class Background:
    """Background commands of one run, by id.

    Attributes:
        before: the protected files before any of these commands could have touched them.
        put_back: restores them, and writes that down.
        files: the watched files when the first of these commands was started in a step or ran on into it.
    """

    before: Protected | None = None
    put_back: Callable[[Protected], object] | None = None
    files: Before | None = None
    _started: dict[str, StartedCommand] = field(default_factory=dict)

    @property
    def names(self) -> str:
        """Return the commands, for people."""
        return ", ".join(started.command for started in self._started.values())

    @property
    def runs_on(self) -> bool:
        """A command that was started still runs."""
        return self._running > 0

    @property
    def _running(self) -> int:
        return sum(not started.running.is_over for started in self._started.values())

    async def record_files(self, at_files: Callable[[], Before]) -> None:
        """Record the state of files before the first command is started."""
        if self.files is None:
            self.files = await asyncio.to_thread(at_files)

    async def changed(self, at_files: Callable[[], Before]) -> Sequence[str]:
        """Return the files that changed since the last record, by these commands or others; records them again while a
        command runs.
        """
        if self.files is None:
            return ()
        touches = await asyncio.to_thread(self.files.found)
        self.files = await asyncio.to_thread(at_files) if self.runs_on else None
        return [touch.path for touch in touches]

    def check_room(self) -> None:
        """Raise Conflict BUSY, when `MAX_RUNNING` commands run."""
        if self._running >= MAX_RUNNING:
            raise Conflict("BUSY", f"{MAX_RUNNING} commands run already", "Stop one with stop_command.")

    def add(self, started: StartedCommand) -> str:
        """Add a started command; return its id."""
        name = f"c{len(self._started) + 1}"
        self._started[name] = started
        return name

    async def output_of(self, name: str, seconds: float, outputs: LongOutputs) -> str:
        """Return a command's new output, for the model; waits up to `seconds` for the first. A long one is cut and kept
        among `outputs`.

        Raises:
            NotFound: COMMAND_NOT_FOUND. CommandFailure: it could not be started.
        """
        started = self._get(name)
        await started.running.wait(started.seen, seconds)
        piece, result = started.running.read(started.seen, outputs.kept), started.running.result
        started.seen = piece.end
        lines = [
            result.ending if result else f"running for {started.running.seconds:.0f} s",
            f"[… {piece.lost} characters left out …]" if piece.lost else "",
            await outputs.cut(piece.text),
            f"[{piece.left} more characters: read again]" if piece.left else "",
        ]
        return "\n".join([lines[0], *filter(None, lines[1:])])

    async def stop(self, name: str, outputs: LongOutputs) -> str:
        """End a command; return how it ended and its last output, for the model. Raises as `output_of`."""
        running = self._get(name).running
        if not running.is_over:
            await running.stop()
        return await self.output_of(name, 0, outputs)

    async def end(self) -> None:
        """End all commands, and restore the protected files that they changed."""
        if self._started:
            await asyncio.gather(*(started.running.stop() for started in self._started.values()))
        if self.before is not None and self.put_back is not None:
            self.put_back(self.before)

    def _get(self, name: str) -> StartedCommand:
        if name not in self._started:
            known = ", ".join(self._started) or "none"
            raise NotFound("COMMAND_NOT_FOUND", f"no command {name[:40]!r} was started in this run", f"Ids: {known}.")
        return self._started[name]
