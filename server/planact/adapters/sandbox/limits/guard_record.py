"""What a guard found before a command on trial, on disk: a later process puts back what a kill of planact left."""

import contextlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from planact.adapters.sandbox.limits.find_credentials import CredentialFinder
from planact.adapters.sandbox.limits.guard import Guard
from planact.adapters.sandbox.unavailable import unavailable

_SLACK = 1_000_000_000
"""Nanoseconds in which the processes of a killed command end."""


@dataclass(frozen=True, slots=True)
class GuardRecord:
    """The record of one workspace. The file `ended` is made when the command ends: by planact, or by the watchdog when
    planact is killed.
    """

    path: Path

    @property
    def ended(self) -> Path:
        return self.path.with_suffix(".ended")

    def begin(self, guard: Guard) -> None:
        """Write the record before a command. Raises CommandFailure SANDBOX_UNAVAILABLE where it can't be written."""
        try:
            self.ended.unlink(missing_ok=True)
            new = self.path.with_suffix(".new")
            new.write_text(json.dumps(guard.as_data()))
            new.replace(self.path)
        except OSError as error:
            raise unavailable(f"{self.path} can't be written: {error}") from error

    @contextlib.contextmanager
    def ending(self) -> Iterator[None]:
        """Write down that the command is over, and forget the guard when it has put back; the time stays until the next
        command.
        """
        with contextlib.suppress(OSError):
            self.ended.touch()
        yield
        self._remove()

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)

    def put_back(self, searched: PurePath, finder: CredentialFinder, aside: Path | None) -> tuple[str, ...]:
        """Do what the guard of a killed process would have done, but for what changed after its command ended. Return
        the paths below the folder that it took away.
        """
        try:
            data = json.loads(self.path.read_text())
            guard = Guard.of_data(data, searched, finder)
        except (OSError, ValueError, KeyError, TypeError):
            return ()
        removed = guard.put_back(aside, self.ended_at())
        self._remove()
        return removed

    def ended_at(self) -> int | None:
        """Return when the last command ended, in nanoseconds, or when the machine started if that was later; None where
        neither is known.
        """
        with contextlib.suppress(OSError):
            return self.ended.stat().st_mtime_ns + _SLACK
        with contextlib.suppress(OSError, AttributeError):
            started = time.time_ns() - time.clock_gettime_ns(time.CLOCK_BOOTTIME)
            if self.path.stat().st_mtime_ns < started:
                return started
        return None
