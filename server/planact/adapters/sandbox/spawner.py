"""How a shell is started: the seam between running a command and holding it in a jail."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Protocol

from planact.base.errors import CommandFailure
from planact.model.jail import JailProfile


@dataclass(frozen=True, slots=True)
class Start:
    """What to start. Both streams go to the descriptor `output`; `scratch` is a folder of its own, if it has one."""

    argv: Sequence[str] | str
    directory: PurePath
    environment: Mapping[str, str]
    output: int
    scratch: Path | None = None

    def open(self, prefix: Sequence[str] = (), pass_fds: Sequence[int] = ()) -> subprocess.Popen[bytes]:
        """Start it, behind `prefix`, as the leader of a session of its own. Raises what Popen raises."""
        argv = [*prefix, *self.argv] if prefix else self.argv
        return subprocess.Popen(
            argv,
            cwd=self.directory,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=self.output,
            start_new_session=True,
            pass_fds=pass_fds,
        )


@dataclass(frozen=True, slots=True)
class Started:
    """A shell that runs.

    Attributes:
        close: has to be called when all has ended.
        was_jailed: says of a shell that has exited by itself whether its jail stood and the command ran at all.
    """

    shell: subprocess.Popen[bytes]
    close: Callable[[], None] = lambda: None
    was_jailed: Callable[[], bool] = lambda: True


class Spawner(Protocol):
    """Starts shells, all in the same jail."""

    @property
    def profile(self) -> JailProfile | None:
        """The limits of all that it starts, or None for none."""
        ...

    def start(self, start: Start) -> Started:
        """Start it without awaiting anything.

        Raises:
            CommandFailure: SANDBOX_UNAVAILABLE, and nothing ran. OSError, ValueError: it could not be started.
        """
        ...


class PlainSpawner:
    """No jail at all."""

    def __init__(self, profile: JailProfile | None = None) -> None:
        self.profile = profile

    def start(self, start: Start) -> Started:
        """Start it as it is."""
        return Started(start.open())


class RefusingSpawner:
    """Starts nothing, since what was asked for can't be had here."""

    def __init__(self, profile: JailProfile, reason: str) -> None:
        self.profile = profile
        self._reason = reason

    def start(self, start: Start) -> Started:  # noqa: ARG002 - whatever it is
        """Raises CommandFailure SANDBOX_UNAVAILABLE."""
        raise unavailable(self._reason)


def unavailable(reason: str) -> CommandFailure:
    """The error for a jail that can't be had; nothing ran."""
    return CommandFailure(
        "SANDBOX_UNAVAILABLE",
        f"the command was not run, since it can't be confined here: {reason}",
        "See `planact doctor`; the setting `sandbox` says whether commands need a sandbox",
    )
