"""What a command gets, what it gives back, and the exit codes. Imports nothing heavy, so that `--help` is quick."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any

from planact.base.errors import ModelFailure, NotFound, PlanactError


class Exit(IntEnum):
    """How the program ends. Never DONE with nothing done."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    WAITING = 3
    REFUSED = 4
    STALE = 5
    NO_MODEL = 6
    INTERRUPTED = 130


_EXITS = {
    "ANSWER_INVALID": Exit.USAGE,
    "CONFIG_INVALID": Exit.USAGE,
    "INVALID_ARGUMENTS": Exit.USAGE,
    "NO_WORKSPACE": Exit.USAGE,
    "PLAN_CHANGED_SINCE_APPROVAL": Exit.STALE,
    "PLAN_HAS_COMMENTS": Exit.STALE,
    "PLAN_INVALID": Exit.STALE,
    "PLAN_STALE": Exit.STALE,
}


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a command.

    Attributes:
        code: the exit code.
        data: JSON, printed with `--json`.
        text: printed otherwise.
        next_step: for people, on standard error.
        is_seen: whether the text has come by already, on standard error.
        seen_hash: hash of the plan that the text shows; empty = it shows none.
    """

    code: Exit
    data: Mapping[str, Any]
    text: str = ""
    next_step: str = ""
    is_seen: bool = False
    seen_hash: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """A command line that was understood. `options` has what the command's own arguments and the common ones say; what
    is in `at_exit` is called when the result was printed.
    """

    options: argparse.Namespace
    environment: Mapping[str, str] = field(repr=False)
    at_exit: list[Callable[[], None]] = field(default_factory=list, repr=False)

    @property
    def root(self) -> Path:
        """The workspace folder.

        Raises:
            NotFound: NO_WORKSPACE.
        """
        try:
            folder = Path(self.options.cwd).resolve(strict=True)
        except (OSError, ValueError):
            folder = None
        if folder is None or not folder.is_dir():
            raise NotFound("NO_WORKSPACE", f"there is no folder {self.options.cwd}", "Name another one with --cwd.")
        return folder


@dataclass(frozen=True, slots=True)
class Command:
    """A word of the command line. `run` imports what it needs itself."""

    name: str
    summary: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Call], Result]


def no_arguments(_parser: argparse.ArgumentParser) -> None:
    """For commands that take only the common options."""


def failure(error: PlanactError) -> Result:
    """An error as the result of a command; the message is printed by `main`."""
    code = Exit.NO_MODEL if isinstance(error, ModelFailure) else _EXITS.get(error.code, Exit.FAILED)
    return Result(code, {"error": {"code": error.code, "message": error.message, "hint": error.hint}})
