"""The start of a shell: the seam between running a command and jailing it."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Protocol

from planact.adapters.sandbox.limits.view import View
from planact.adapters.sandbox.unavailable import unavailable
from planact.model.rights.jail import JailProfile


@dataclass(frozen=True, slots=True)
class Start:
    """A shell or a program to start. Both streams go to the descriptor `output`, or what it says of its errors to
    `errors`; it reads from `input`. `scratch` are further folders that it may write; `view` limits its reading, in
    jails that can enforce it.
    """

    argv: Sequence[str] | str
    directory: PurePath
    environment: Mapping[str, str]
    output: int
    scratch: Sequence[Path]
    view: View
    input: int = subprocess.DEVNULL
    errors: int | None = None

    def open(self, prefix: Sequence[str] = (), pass_fds: Sequence[int] = ()) -> subprocess.Popen[bytes]:
        """Start the shell, behind `prefix`, as the leader of a session of its own. Raises the errors of Popen."""
        argv = [*prefix, *self.argv] if prefix else self.argv
        return subprocess.Popen(
            argv,
            cwd=self.directory,
            env=self.environment,
            stdin=self.input,
            stdout=self.output,
            stderr=self.output if self.errors is None else self.errors,
            start_new_session=True,
            pass_fds=pass_fds,
        )


@dataclass(frozen=True, slots=True)
class Started:
    """A shell that runs.

    Attributes:
        close: has to be called when all processes have ended.
        was_jailed: of a shell that has exited by itself: True if its jail stood and the command ran at all.
        wanted_network: True if it tried to reach the network in a jail that has none, as far as that can be told.
        is_over: True if no process of it is left, where that can be told; else None.
    """

    shell: subprocess.Popen[bytes]
    close: Callable[[], None] = lambda: None
    was_jailed: Callable[[], bool] = lambda: True
    wanted_network: Callable[[], bool] = lambda: False
    is_over: Callable[[], bool] | None = None


class Spawner(Protocol):
    """A starter of shells, all in the same jail."""

    @property
    def profile(self) -> JailProfile | None:
        """The limits of all its shells, or None for none."""

    def start(self, start: Start) -> Started:
        """Start the shell without awaiting.

        Raises:
            CommandFailure: SANDBOX_UNAVAILABLE, and no command ran.
            OSError, ValueError: it could not be started.
        """


class PlainSpawner:
    """A starter without any jail."""

    def __init__(self, profile: JailProfile | None = None) -> None:
        self.profile = profile

    def start(self, start: Start) -> Started:
        return Started(start.open())


class RefusingSpawner:
    """A spawner that starts no shell, since its jail can't be had here."""

    def __init__(self, profile: JailProfile, reason: str) -> None:
        self.profile = profile
        self._reason = reason

    def start(self, start: Start) -> Started:  # noqa: ARG002 - whatever it is
        """Raise CommandFailure SANDBOX_UNAVAILABLE."""
        raise unavailable(self._reason)
