"""Seams to commands: what a line would do, running it in a jail, and what it must not change unnoticed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from planact.base.paths import Place
from planact.model.classification import Classification
from planact.model.command import CommandResult
from planact.model.jail import Confinement
from planact.model.touch import Touch


class CommandReader(Protocol):
    """Tells what command lines would do, before they run."""

    async def read(self, command: str, directory: Place) -> Classification:
        """The judgement of `command`, were it run in `directory`; never raises."""
        ...


class Runner(Protocol):
    """Runs command lines, each in a jail."""

    def held(self) -> frozenset[Confinement]:
        """The jails that this machine can hold a command in, with the user's setting."""
        ...

    def describe(self) -> str:
        """One line for the user on what holds commands here."""
        ...

    async def run(
        self,
        command: str,
        directory: Place,
        confinement: Confinement,
        timeout: float,
        limit: int,
        on_output: Callable[[str], None],
    ) -> CommandResult:
        """Run `command` in the user's shell, in the jail `confinement` or not at all (without one where there is none
        and the user's setting lets it, never for `contain`), with no standard input; output beyond `limit` characters
        loses its middle. Cancelling ends it and all its descendants. Raises CommandFailure COMMAND_FAILED_TO_START,
        SANDBOX_UNAVAILABLE.
        """
        ...


class ProtectedFiles(Protocol):
    """What commands in Act must not change unnoticed: what git and planact run or believe by themselves."""

    def look(self) -> "Protected":
        """How it is now."""
        ...


class Protected(Protocol):
    """How the protected files were at one moment."""

    def changed(self) -> Mapping[str, bytes]:
        """What is not as it was: the path as people see it, and the bytes it has now (none where it is gone, no file,
        or too large to keep).
        """
        ...

    def put_back(self) -> Sequence[str]:
        """Make it as it was. Returns the paths for which that can't be done."""
        ...


class Footprints(Protocol):
    """Finds what commands change, so that it can be undone."""

    def look(self, named: Collection[str]) -> "Before":
        """How the files are now that git tracks, and those in `named`, by path relative to the workspace. From any
        thread.
        """
        ...


class Before(Protocol):
    """How files were before a command."""

    def found(self) -> Sequence[Touch]:
        """Which aren't so any more, with what they said before, kept, as far as that can be had. From any thread."""
        ...
