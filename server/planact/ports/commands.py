"""Seams to commands: classifying a line, running it in a jail, and finding the files that it changed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from planact.base.paths import Place
from planact.model.rights.classification import Classification
from planact.model.rights.command import CommandResult, OutputPiece
from planact.model.rights.jail import Confinement
from planact.model.runs.touch import Touch


class CommandReader(Protocol):
    """Classifies command lines before they run."""

    async def read(self, command: str, directory: Place, scratch: str = "") -> Classification:
        """Return the classification of `command`, were it run in `directory` with `scratch` as its `$TMPDIR`; never
        raises.
        """


class Runner(Protocol):
    """Runs command lines, each in a jail."""

    def enforced(self) -> frozenset[Confinement]:
        """Return the jails that this machine can hold a command in, with the user's setting."""

    def hides_credentials(self) -> bool:
        """Return whether the jails of reading and of unknown commands hide files that usually hold credentials."""

    def describe(self) -> str:
        """Return one line for the user on the jails of this machine."""

    def shell(self) -> str:
        """Return the name of the shell that runs command lines."""

    async def run(
        self,
        command: str,
        directory: Place,
        confinement: Confinement,
        timeout: float,
        limit: int,
        on_output: Callable[[str], None],
        variables: Mapping[str, str] | None = None,
        outside: Sequence[str] = (),
        scratch: str = "",
        kept: int = 0,
        unchangeable: Sequence[str] = (),
    ) -> CommandResult:
        """Run `command` in the user's shell, in the jail `confinement` or not at all (without one where there is none
        and the user's setting lets it, never for `contain` and `trial`), with no standard input; output beyond `limit`
        characters loses its middle, and its `whole` that beyond `kept`. `variables` are put into its environment;
        `outside` are absolute paths outside the workspace that it may read in `outside-read` and `trial`. A command
        that can write nothing else has `scratch`, the folder of its session, as its `$TMPDIR`; one that has the network
        has another, and what it leaves there is moved to `scratch`. In the jail `trial`, the absolute paths
        `unchangeable` below the workspace stay as they are, as far as they exist; one such command runs at a time.
        Cancelling ends it and all its descendants. Raises CommandFailure COMMAND_FAILED_TO_START, SANDBOX_UNAVAILABLE.
        """

    def put_back_killed(self, aside: str) -> tuple[Sequence[str], int | None]:
        """Put back what a command on trial, whose planact was killed, made of what programs load by themselves; move it
        to the folder `aside`. Return its paths below the workspace, and the time (ns) after which all changes are
        others', if that is known. From any thread.
        """

    def left_behind(self, *, end: bool) -> int:
        """Return the number of processes of this folder's commands that outlived their killed planact; `end` ends
        them.
        """

    def start(
        self, command: str, directory: Place, confinement: Confinement, kept: int, outside: Sequence[str] = ()
    ) -> "Running":
        """Start `command` in the jail `confinement`, never in `trial`, without a limit of time; the last `kept`
        characters of its output can be read. It ends with this process, also on a kill.
        """

    def open(
        self, program: Sequence[str], directory: Place, variables: Mapping[str, str], parts: Sequence[str], scratch: str
    ) -> "AbstractAsyncContextManager[Program]":
        """Start a program, named by its whole path, in the jail `contain` or not at all. It goes on beside the work
        and may read the folders or files `parts` besides; `scratch` becomes its `$TMPDIR`. With the end of the context
        and of this process it ends with all its descendants. Raises as `run`.
        """


class Program(Protocol):
    """The streams of a program that goes on beside the work."""

    @property
    def last_words(self) -> str:
        """Return the end of what it said of its errors."""

    async def read(self) -> bytes:
        """Return the next part of its output; empty at the end. Raises FloodError where it wrote too much to its
        errors.
        """

    async def write(self, data: bytes) -> None:
        """Hand it `data`, and wait until it has taken most of it. Raises OSError, when it is gone."""

    def memory(self) -> int:
        """Return the bytes of memory that it and its descendants hold. From any thread."""


class Running(Protocol):
    """A command that goes on beside the work."""

    @property
    def seconds(self) -> float:
        """Seconds since the start."""

    @property
    def is_over(self) -> bool:
        """Return whether the command has ended, or could not be started."""

    @property
    def result(self) -> CommandResult | None:
        """Return the command's end; None while it runs. Raises CommandFailure as `Runner.run` does."""

    def read(self, after: int, limit: int) -> OutputPiece:
        """Return at most `limit` characters of the output, from character `after` on or from the first that is still
        kept.
        """

    async def wait(self, after: int, seconds: float) -> None:
        """Wait until there is output behind character `after` and a pause follows, the command ends, or `seconds` are
        over.
        """

    async def stop(self) -> None:
        """End the command and all its descendants; they are gone when this returns."""


class ScratchFolders(Protocol):
    """Scratch folders of sessions: one each, removed with the session and at the end of the process."""

    def of(self, session_id: str) -> str:
        """Return the path of the session's folder, made if missing; empty where it can't be made."""

    def remove(self, session_id: str) -> None:
        """Remove the session's folder, if there is one; never raises."""

    def clear(self) -> None:
        """Remove the folders of all sessions."""


class ProtectedFiles(Protocol):
    """Files that commands in Act must not change unnoticed: those that git and planact run or trust by themselves."""

    def snapshot(self) -> "Protected":
        """Return the protected files as they are now."""


class Protected(Protocol):
    """The protected files at one moment."""

    def changed(self) -> Mapping[str, bytes]:
        """Return the bytes of the changed files, by the path that people see; no bytes where a file is gone, is no
        file, or is too large to keep.
        """

    def put_back(self) -> Sequence[str]:
        """Restore the files. Return the paths that can't be restored."""


class Footprints(Protocol):
    """Finds the files that commands change, so that the changes can be undone."""

    def snapshot(self, named: Collection[str]) -> "Before":
        """Return the present state of the files that git tracks and of those in `named`, by path relative to the
        workspace. From any thread.
        """

    def can_try(self) -> bool:
        """Return whether `trial` covers this folder: git tells which files it ignores, and what neither it tracks nor
        ignores is not too much. A no holds for a minute, a yes for ten. From any thread.
        """

    def refusal(self) -> str:
        """Return the command by which the user has git work in this folder, where git refuses to since another user
        owns that; else an empty text. From any thread.
        """

    def trial(self, named: Collection[str], since: "TrialBefore | None" = None) -> "TrialBefore":
        """Return the present state of all files that git doesn't ignore and of those in `named`, with their content, so
        that whatever a command does to them can be put back. `since` = the state before an earlier command that nobody
        has judged yet: what it made git ignore counts. From any thread. Raises CommandFailure COMMAND_FAILED_TO_START
        where the folder can't be covered.
        """

    def save(self, before: "TrialBefore", about: str) -> None:
        """Write down the state before a command on trial until `forget`, so that a later process finds what that
        changed if this one is killed. From any thread. Raises StorageFailure STORAGE_UNWRITABLE.
        """

    def saved(self, ended: int | None) -> "tuple[str, TrialBefore] | None":
        """Return the state that `save` wrote last, unless it was forgotten. Changes after `ended` (ns) count as made by
        others. From any thread.
        """

    def forget(self) -> None:
        """Remove what `save` wrote: what the command changed is written down elsewhere. Never raises."""


class Before(Protocol):
    """State of files before a command."""

    def found(self) -> Sequence[Touch]:
        """Return the files that changed since, with their earlier content as far as it is known. From any thread."""


class TrialBefore(Before, Protocol):
    """State of files before a command on trial; `found` tells of all that changed, but for ignored build outputs."""

    @property
    def unchangeable(self) -> Sequence[str]:
        """The absolute paths, folders or files, that couldn't be put back, so that the command must not change them."""
