"""Roles: a named set of rights, with a prompt. Rights are data, so that they can be cut down by one another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from planact.model.rights.permission import Mode, Permission

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
    """

    name: str
    description: str
    mode: Mode
    rights: Rights
    prompt: str = ""
    model: str = ""
    source: RoleSource = "built-in"
    delegable: Rights | None = None

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
