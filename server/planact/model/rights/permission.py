"""Modes, permissions and roles, and the effects of a call, declared before it runs.

Rights are data, so that they can be cut down by one another.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal


class Mode(StrEnum):
    """The mode of a session. It outranks every other right."""

    PLAN = "plan"
    ACT = "act"


MODE_ALIASES = {"planning": Mode.PLAN, "executing": Mode.ACT, "build": Mode.ACT}


class Permission(StrEnum):
    """A permission that a role grants and a tool requires."""

    READ_FILES = "read_files"
    WRITE_FILES = "write_files"
    CREATE_FILES = "create_files"
    DELETE_FILES = "delete_files"
    EXECUTE_COMMANDS = "execute_commands"


def parse_mode(text: str) -> Mode | None:
    """The mode that `text` names, or None; accepts the aliases."""
    word = text.strip().lower()
    if word in MODE_ALIASES:
        return MODE_ALIASES[word]
    return Mode(word) if word in set(Mode) else None


PathAction = Literal["read", "write", "create", "delete", "make_directory", "search"]


@dataclass(frozen=True, slots=True)
class PathEffect:
    """An effect on a path, written as in the call. `search` and `read` don't change it. Without `follows_link`, a link
    at its end is meant itself, not its target.
    """

    action: PathAction
    path: str
    follows_link: bool = True


@dataclass(frozen=True, slots=True)
class CommandEffect:
    """A command line runs in a directory of the workspace.

    Attributes:
        goes_on: it runs beside what is done after it.
        why_network: the model's reason for the network, which it asks for; empty = it doesn't.
        held_back: what it wanted on trial or contained and didn't get, for people; empty = it had all, or wasn't run.
        opens: absolute paths that it is given on trial, as the user was asked.
        is_held_in_act: the jail of approved commands held it back.
    """

    command: str
    directory: str = "."
    goes_on: bool = False
    why_network: str = ""
    held_back: str = field(default="", compare=False)
    opens: tuple[str, ...] = field(default=(), compare=False)
    is_held_in_act: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class RunningEffect:
    """A command that the run started is read or ended."""

    id: str


@dataclass(frozen=True, slots=True)
class OutputEffect:
    """A kept output of the session is read."""

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
class PageEffect:
    """A page of the web is fetched; `address` in the spelling of `base.web_address`."""

    address: str


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


Effect = (
    PathEffect
    | CommandEffect
    | RunningEffect
    | OutputEffect
    | PlanEffect
    | AskEffect
    | ExitPlanEffect
    | SpawnEffect
    | PageEffect
    | McpEffect
)


RoleSource = Literal["built-in", "user", "repository"]
"""Source of a role: planact, the user's own configuration, or the workspace."""


@dataclass(frozen=True, slots=True)
class Rights:
    """The most that may be done. An empty set of patterns allows nothing; no set = no limit of that kind.

    Attributes:
        tools: sets of tool names, where `*` stands for any characters; a tool must be in each set.
        paths: sets of path patterns as in `policy.rights`; each written path must lie in each set.
    """

    permissions: frozenset[Permission]
    tools: frozenset[frozenset[str]] = frozenset()
    paths: frozenset[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Role:
    """A role of the agent. It can only narrow the mode.

    Attributes:
        mode: the widest mode that it allows.
        rights: of its own calls.
        delegable: the most that a role can do to which it delegates a task; None = `rights`.
        prompt: Markdown, put into the system prompt.
        model: its model; empty = the mode's model.
        delegates: names of the roles to which it may delegate tasks; None = all.
    """

    name: str
    description: str
    mode: Mode
    rights: Rights
    prompt: str = ""
    model: str = ""
    source: RoleSource = "built-in"
    delegable: Rights | None = None
    delegates: frozenset[str] | None = None

    @property
    def delegable_rights(self) -> Rights:
        return self.rights if self.delegable is None else self.delegable


@dataclass(frozen=True, slots=True)
class RoleProblem:
    """A role file that isn't used; `message` names it, the cause and the next step."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class RoleFiles:
    """The files of roles as read at one moment, by name; names without a file are missing.

    Attributes:
        repository: the workspace's role, and True if it counts.
        user: of the user's own.
    """

    repository: Mapping[str, tuple[Role | RoleProblem | None, bool]]
    user: Mapping[str, Role | RoleProblem | None]
