"""Roles: a named set of rights, with a prompt. Rights are data, so that they can be cut down by one another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from planact.model.permission import Mode, Permission

RoleSource = Literal["built-in", "user", "repository"]
"""Where a role comes from: planact, the user's own configuration, or the workspace."""


@dataclass(frozen=True, slots=True)
class Rights:
    """What may be done at most. Nothing in a set of patterns = nothing at all; no set = no limit of that kind.

    Attributes:
        tools: sets of tool names, where `*` stands for any characters; a tool must be in each set.
        paths: sets of path patterns as in `policy.rights`; what is written must lie in each set.
    """

    permissions: frozenset[Permission]
    tools: frozenset[frozenset[str]] = frozenset()
    paths: frozenset[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Role:
    """Who the agent is. A role can only narrow what the mode allows.

    Attributes:
        mode: the widest mode that it is for.
        prompt: Markdown, put into the system prompt.
        model: the model that it speaks with; empty = the one of its mode.
    """

    name: str
    description: str
    mode: Mode
    rights: Rights
    prompt: str = ""
    model: str = ""
    source: RoleSource = "built-in"


@dataclass(frozen=True, slots=True)
class RoleProblem:
    """A role file that isn't used; `message` names it, the cause and the next step."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class RoleFiles:
    """What the files of roles said at one moment, by name; who isn't there had no file.

    Attributes:
        repository: of the workspace, with whether it counts.
        user: of the user's own.
    """

    repository: Mapping[str, tuple[Role | RoleProblem | None, bool]]
    user: Mapping[str, Role | RoleProblem | None]
