"""What of the world outside its text a plan is judged and explained by, as data that whoever has the world hands in."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from planact.model.classification import CommandClass
from planact.model.permission import Permission
from planact.plan.changes import ChangedFile


@dataclass(frozen=True, slots=True)
class ToolFact:
    """A tool that steps can name."""

    name: str
    summary: str
    permissions: frozenset[Permission]
    risk: str

    @property
    def may_create(self) -> bool:
        """Whether a file can be there after it that wasn't before."""
        return bool(self.permissions & {Permission.CREATE_FILES, Permission.EXECUTE_COMMANDS})

    @property
    def deletes(self) -> bool:
        """Whether it is for taking files away."""
        return Permission.DELETE_FILES in self.permissions and Permission.CREATE_FILES not in self.permissions


@dataclass(frozen=True, slots=True)
class FileFact:
    """A path of the workspace.

    Attributes:
        kind: "file", "directory", "other", or empty when there is nothing.
        size: in bytes.
        is_stale: whether it changed since the plan was made; None when the plan doesn't rest on it.
    """

    kind: str = ""
    size: int = 0
    is_stale: bool | None = None


@dataclass(frozen=True, slots=True)
class CommandFact:
    """What a command would do, as far as can be told before it runs, and what the settings and Plan mode say to it."""

    cls: CommandClass
    reason: str
    is_denied: bool
    in_plan: Literal["allow", "contain", "ask", "deny"]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the linter rests on. Nothing known means nothing to complain about, but for tools.

    Attributes:
        tools: by name.
        missing_files: those that the plan names and that aren't there.
        unreadable_commands: what bash says of commands that it can't parse.
        denied_commands: those that the user's settings refuse.
        changed_files: by path, those that changed since the plan was made.
    """

    tools: Mapping[str, ToolFact]
    missing_files: Collection[str] = frozenset()
    unreadable_commands: Mapping[str, str] = field(default_factory=dict)
    denied_commands: Collection[str] = frozenset()
    changed_files: Mapping[str, ChangedFile] = field(default_factory=dict)
