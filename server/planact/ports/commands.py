"""Seams to commands: what a line would do, running it in a jail, and what it must not change unnoticed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from planact.base.paths import Place
from planact.model.classification import Classification
from planact.model.command import CommandResult, OutputPiece
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
        variables: Mapping[str, str] | None = None,
    ) -> CommandResult:
        """Run `command` in the user's shell, in the jail `confinement` or not at all (without one where there is none
        and the user's setting lets it, never for `contain`), with no standard input; output beyond `limit` characters
        loses its middle. `variables` are put into its environment. Cancelling ends it and all its descendants. Raises
        CommandFailure COMMAND_FAILED_TO_START, SANDBOX_UNAVAILABLE.
        """
        ...

    def left_behind(self, *, end: bool) -> int:
        """How many processes still run of this folder's commands whose planact was killed; they are ended, if so."""
        ...

    def start(self, command: str, directory: Place, confinement: Confinement, kept: int) -> "Running":
        """Start `command` in the jail `confinement`, without a limit of time; the last `kept` characters of its output
        can be read. It ends with this process, however that ends.
        """
        ...


class Running(Protocol):
    """A command that goes on beside the work."""

    @property
    def seconds(self) -> float:
        """Since it was started."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or could not be started."""
        ...

    @property
    def result(self) -> CommandResult | None:
        """How it ended; None while it runs. Raises CommandFailure as `Runner.run` does."""
        ...

    def read(self, after: int, limit: int) -> OutputPiece:
        """At most `limit` characters of its output from number `after` on, or from the first that is still kept."""
        ...

    async def wait(self, after: int, seconds: float) -> None:
        """Until it has said something behind character `after` and is quiet again, or ends, or the time is over."""
        ...

    async def stop(self) -> None:
        """End it and all that it started; they are gone when this returns."""
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
