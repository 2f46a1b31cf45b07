"""A finished command: what it printed and how it ended."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended.

    Attributes:
        exit_code: None when it was ended by us.
        output: both streams in the order they came, undecodable bytes replaced, the middle elided beyond the limit.
        ended: `exited` by itself, after the `timeout`, or `stopped` by the user.
        duration: seconds.
        refusal: the line in which the command seems to say that its jail refused it something, or empty; a guess by its
            words, since the kernel tells nobody else.
    """

    exit_code: int | None
    output: str
    ended: Literal["exited", "timeout", "stopped"]
    duration: float
    refusal: str = ""
