"""The effects of one tool call, declared before it runs."""

from dataclasses import dataclass
from typing import Literal

PathAction = Literal["read", "write", "create", "delete", "make_directory", "search"]


@dataclass(frozen=True, slots=True)
class PathEffect:
    """An effect on a path, written as in the call. `search` and `read` don't change it."""

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
    """A question to the user; no file is touched."""


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
    """A call of an MCP server's tool, which may change any file or service.

    Attributes:
        fingerprint: of what the server said of it (`model.mcp.McpTool`); an approval covers this one alone.
        says_read_only: the server's own hint, shown to the user.
    """

    server: str
    tool: str
    fingerprint: str
    says_read_only: bool = False


Effect = PathEffect | CommandEffect | RunningEffect | PlanEffect | AskEffect | ExitPlanEffect | SpawnEffect | McpEffect
