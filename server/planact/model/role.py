"""Roles: a named set of permissions and tools, with a prompt."""

from dataclasses import dataclass

from planact.model.permission import Mode, Permission


@dataclass(frozen=True, slots=True)
class Role:
    """Who the agent is. A role can only narrow what the mode allows.

    Attributes:
        tools: names of the tools it may be offered; empty = every tool its permissions cover.
        prompt: Markdown, put into the system prompt.
    """

    name: str
    description: str
    mode: Mode
    permissions: frozenset[Permission]
    tools: tuple[str, ...] = ()
    prompt: str = ""
