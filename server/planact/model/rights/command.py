"""A command: what it printed, and how it ended."""

from dataclasses import dataclass
from typing import Literal, assert_never


@dataclass(frozen=True, slots=True)
class OutputPiece:
    """A piece of what a running command said, up to the character `end`.

    Attributes:
        lost: so many characters before it are not kept any more.
        left: so many more are there already.
    """

    text: str
    end: int
    lost: int
    left: int


KEPT_CHARACTERS = 1_000_000
"""Characters of one output that are kept whole; a longer one loses its middle."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The end of a command.

    Attributes:
        exit_code: None when it was ended by us.
        output: both streams in the order they came, undecodable bytes replaced, the middle elided beyond the limit.
        ended: `exited` by itself, after the `timeout`, or `stopped` by the user.
        duration: seconds.
        refusal: the line in which the command seems to say that its jail refused it something, or empty; a guess by its
            words, since the kernel reports it to the command alone.
        hidden: files that usually hold credentials, which the command could not open, by the same guess.
        whole: the output as far as it was to be kept, where `output` lacks its middle.
        wants_network: in the jail `trial`, it tried to reach the network and was refused, as the kernel counted.
        refused_path: in the jail `trial`, the path in a line about a refusal that the jail kept from changing, or from
            being read though it is there; empty = none.
        openable: the absolute path that has to be opened for that, in the same jail; empty = none can be.
        locked: in the jail `trial`, folders in which it could make, remove and rename nothing, though below them, by
            path in the workspace.
        removed: in the jail `trial`, what it made in the workspace that programs load by themselves, by path in it: it
            was taken away at once.
        packages: those of `removed` that are folders of packages, which no edits can write.
    """

    exit_code: int | None
    output: str
    ended: Literal["exited", "timeout", "stopped"]
    duration: float
    refusal: str = ""
    hidden: tuple[str, ...] = ()
    whole: str = ""
    wants_network: bool = False
    refused_path: str = ""
    openable: str = ""
    locked: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()

    @property
    def held_back(self) -> str:
        """Return the name of the right that a command on trial lacked, for people: `openable`, where there is that;
        empty = none is known.
        """
        if self.exit_code and self.wants_network and not self.openable:
            return "the network"
        wanted = [self.refused_path] if self.exit_code and self.refused_path else self.packages
        return f"`{wanted[0]}`" if wanted and self.ended == "exited" else ""

    @property
    def ending(self) -> str:
        """Describe the end of the command, for models."""
        match self.ended:
            case "exited":
                return f"exit code {self.exit_code} after {self.duration:.1f} s"
            case "timeout":
                return f"ended after {self.duration:.0f} s, the time limit; with all processes it had started"
            case "stopped":
                return "stopped"
            case _:
                assert_never(self.ended)
