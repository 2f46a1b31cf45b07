"""Facts outside a plan's text by which it is linted and explained, as data that the caller collects; among them the
files that a plan rests on and that have changed since planning.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from planact.base.text import first_few, named
from planact.model.rights.classification import CommandClass
from planact.model.rights.permission import Permission

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
    told = first_few([f"{file.path} ({file.what})" for file in changed], _TOLD)
    wish = "Files that the plan rests on changed since it was made. Read them again, and make the plan fit them"
    return f"{wish}: {told}."


def names_of(changed: Sequence[ChangedFile]) -> str:
    return first_few([named(file.path) for file in changed], _NAMED)


@dataclass(frozen=True, slots=True)
class ToolFact:
    """A tool that steps can name."""

    name: str
    summary: str
    permissions: frozenset[Permission]
    risk: str

    @property
    def may_create(self) -> bool:
        """The tool can leave a file that wasn't there before."""
        return bool(self.permissions & {Permission.CREATE_FILES, Permission.EXECUTE_COMMANDS})

    @property
    def deletes(self) -> bool:
        """The tool is for removing files."""
        return Permission.DELETE_FILES in self.permissions and Permission.CREATE_FILES not in self.permissions


@dataclass(frozen=True, slots=True)
class FileFact:
    """A path of the workspace.

    Attributes:
        kind: "file", "directory", "other", or empty for a missing path.
        size: in bytes.
        is_stale: the file changed since the plan was made; None when the plan doesn't rest on it.
    """

    kind: str = ""
    size: int = 0
    is_stale: bool | None = None


@dataclass(frozen=True, slots=True)
class CommandFact:
    """The effects of a command, as far as they are known before it runs, and the verdict of settings and Plan mode."""

    cls: CommandClass
    reason: str
    is_denied: bool
    in_plan: Literal["allow", "contain", "ask", "deny"]


@dataclass(frozen=True, slots=True)
class LintContext:
    """Facts for the linter. Without facts about a file or command there is no problem; unknown tools are problems.

    Attributes:
        tools: by name.
        missing_files: paths that the plan names and that don't exist.
        unreadable_commands: bash's message for each command that it can't parse.
        denied_commands: commands that the user's settings refuse.
        changed_files: by path, files that the plan rests on and that changed since it was made.
        also_changed: files that planning read, too, and that changed since.
    """

    tools: Mapping[str, ToolFact]
    missing_files: Collection[str] = frozenset()
    unreadable_commands: Mapping[str, str] = field(default_factory=dict)
    denied_commands: Collection[str] = frozenset()
    changed_files: Mapping[str, ChangedFile] = field(default_factory=dict)
    also_changed: Sequence[ChangedFile] = ()
