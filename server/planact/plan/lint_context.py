"""Facts outside a plan's text by which it is linted and explained, as data that the caller collects."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

from planact.model.rights.classification import CommandClass
from planact.model.rights.permission import Permission
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
        changed_files: by path, files that changed since the plan was made.
    """

    tools: Mapping[str, ToolFact]
    missing_files: Collection[str] = frozenset()
    unreadable_commands: Mapping[str, str] = field(default_factory=dict)
    denied_commands: Collection[str] = frozenset()
    changed_files: Mapping[str, ChangedFile] = field(default_factory=dict)
