"""A parsed command line, the result of a command, and exit codes. Imports only light modules: `--help` needs it."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any

from planact.base.errors import ModelFailure, NotFound, PlanactError


class Exit(IntEnum):
    """Exit codes. A command that leaves its work undone never ends with DONE."""

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
    "PLAN_FOREIGN": Exit.STALE,
    "PLAN_HAS_COMMENTS": Exit.STALE,
    "PLAN_INVALID": Exit.STALE,
    "PLAN_STALE": Exit.STALE,
}


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a command, which `main` prints.

    Attributes:
        code: the exit code.
        data: JSON, printed with `--json`.
        text: printed without `--json`, on standard output.
        next_step: a hint for people, printed on standard error.
        is_seen: the text was streamed to standard error already.
        seen_hash: hash of the plan that the text shows; empty if it shows none.
    """

    code: Exit
    data: Mapping[str, Any]
    text: str = ""
    next_step: str = ""
    is_seen: bool = False
    seen_hash: str = ""


@dataclass(frozen=True, slots=True)
class Invocation:
    """A parsed command line. `options` has the command's own arguments and the common ones; `command_tree` returns a
    parser with all commands, for shell completion; the functions in `at_exit` are called after the result is printed.
    """

    options: argparse.Namespace
    environment: Mapping[str, str] = field(repr=False)
    command_tree: Callable[[], argparse.ArgumentParser] = field(repr=False)
    at_exit: list[Callable[[], None]] = field(default_factory=list, repr=False)

    @property
    def root(self) -> Path:
        """Return the workspace folder as an absolute path, links resolved.

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
class CliCommand:
    """A word of the command line. `run` imports its own modules, so that other words start fast."""

    name: str
    summary: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Invocation], Result]


def no_arguments(_parser: argparse.ArgumentParser) -> None:
    """Add no arguments, for commands that take only the common options."""


def failure(error: PlanactError) -> Result:
    """Return the result for an error; `main` prints its message."""
    code = Exit.NO_MODEL if isinstance(error, ModelFailure) else _EXITS.get(error.code, Exit.FAILED)
    return Result(code, {"error": {"code": error.code, "message": error.message, "hint": error.hint}})
