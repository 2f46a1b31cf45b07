"""What one tool call would touch, said before it runs."""

from dataclasses import dataclass
from typing import Literal

PathAction = Literal["read", "write", "create", "delete", "make_directory", "search"]


@dataclass(frozen=True, slots=True)
class PathEffect:
    """Something happens to a path, which is still as the caller wrote it. `search` and `read` leave it as it is."""

    action: PathAction
    path: str


@dataclass(frozen=True, slots=True)
class CommandEffect:
    """A command line runs in a directory of the workspace; `goes_on` = beside what is done after it."""

    command: str
    directory: str = "."
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class RunningEffect:
    """A command that the run started is read or ended."""

    id: str


@dataclass(frozen=True, slots=True)
class PlanEffect:
    """The session's plan document is written by `render`, from data."""


@dataclass(frozen=True, slots=True)
class AskEffect:
    """The user is asked something; touches nothing."""


@dataclass(frozen=True, slots=True)
class ExitPlanEffect:
    """The user is asked to approve the plan at `path` and to start it."""

    path: str


@dataclass(frozen=True, slots=True)
class SpawnEffect:
    """Another role works on a task, with no more than the rights of the one that hands it out."""

    role: str


@dataclass(frozen=True, slots=True)
class McpEffect:
    """A tool of an MCP server is called, which may touch anything anywhere.

    Attributes:
        fingerprint: of what the server said of it (`model.mcp.McpTool`); a yes to one says nothing of another.
        says_read_only: the server's own hint, shown to the user.
    """

    server: str
    tool: str
    fingerprint: str
    says_read_only: bool = False


Effect = PathEffect | CommandEffect | RunningEffect | PlanEffect | AskEffect | ExitPlanEffect | SpawnEffect | McpEffect
