"""Findings about one part of a command line, and the jail that it needs by itself."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from planact.model.rights.classification import CommandClass, CommandTrait

NeededJail = Literal["", "local-read", "net-read", "registry-read", "daemon-read"]


@dataclass(frozen=True, slots=True)
class CommandFinding:
    """One part of the line, judged alone. Span in bytes.

    Attributes:
        jail: the jail that it needs; empty for a command that doesn't run (unknown or mutating).
        is_inert: it may stand beside a part that speaks to others (`table`).
    """

    cls: CommandClass
    rule: str
    reason: str
    start: int
    end: int
    program: str = ""
    jail: NeededJail = ""
    is_inert: bool = False


def jail_of(cls: CommandClass, traits: Collection[CommandTrait]) -> NeededJail:
    """Return the jail that a part of a line needs by itself."""
    match cls:
        case "net-read":
            return "registry-read" if "registry" in traits else "net-read"
        case "local-read" | "daemon-read":
            return cls
        case "unknown" | "mutating":
            return ""
