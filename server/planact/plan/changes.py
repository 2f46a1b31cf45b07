"""Files that a plan rests on and that have changed since planning, and messages about them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

CODE = "PLAN025"
"""The linter's code for a changed file."""

_NAMED = 5
_TOLD = 100


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that the plan rests on and that isn't as it was: `was` and `now` are SHA-256 in hex, empty where there was
    or is no file.
    """

    path: str
    was: str
    now: str

    @property
    def what(self) -> Literal["changed", "deleted", "created"]:
        """The kind of change since planning."""
        return "changed" if self.was and self.now else "deleted" if self.was else "created"


def replan_feedback(changed: Sequence[ChangedFile]) -> str:
    """Return the feedback that asks the planner to take changed files into account."""
    told = [f"{file.path} ({file.what})" for file in changed[:_TOLD]]
    left = f" and {len(changed) - _TOLD} more" if len(changed) > _TOLD else ""
    wish = "Files that the plan rests on changed since it was made. Read them again, and make the plan fit them"
    return f"{wish}: {', '.join(told)}{left}."


def names_of(changed: Sequence[ChangedFile]) -> str:
    """The first few, for people."""
    left = f" and {len(changed) - _NAMED} more" if len(changed) > _NAMED else ""
    return ", ".join(file.path for file in changed[:_NAMED]) + left
