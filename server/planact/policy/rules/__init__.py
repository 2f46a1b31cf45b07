"""The rules of the gate: one file each, all of them in `RULES`. Each looks at a whole call and returns objections.

The user's "always allow" rules (`model.rule`) are no rules here: they answer questions that these ask.
"""

from collections.abc import Callable, Sequence

from planact.policy.context import PolicyContext, Request, Verdict
from planact.policy.rules import (
    approval,
    commands,
    credentials,
    delegation,
    deviation,
    mcp,
    mode,
    pages,
    paths,
    role,
    role_lists,
    workspace_trust,
)

PolicyRule = Callable[[Request, PolicyContext], Sequence[Verdict]]

RULES: tuple[PolicyRule, ...] = (
    workspace_trust.judge,
    mode.judge,
    role.judge,
    role_lists.judge,
    delegation.judge,
    paths.judge,
    credentials.judge,
    commands.judge,
    mcp.judge,
    pages.judge,
    approval.judge,
    deviation.judge,
)
