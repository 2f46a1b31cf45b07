"""The rules of the gate: one file each, all of them in `RULES`. Each looks at a whole call and yields what it minds.

What the user always allows (`model.rule`) is no rule here: it answers questions that these ask.
"""

from collections.abc import Callable, Sequence

from planact.policy.rules import (
    approval,
    commands,
    credentials,
    delegation,
    deviation,
    mcp,
    mode,
    paths,
    role,
    role_lists,
    workspace_trust,
)
from planact.policy.standing import Request, Standing
from planact.policy.verdict import Verdict

Rule = Callable[[Request, Standing], Sequence[Verdict]]

RULES: tuple[Rule, ...] = (
    workspace_trust.judge,
    mode.judge,
    role.judge,
    role_lists.judge,
    delegation.judge,
    paths.judge,
    credentials.judge,
    commands.judge,
    mcp.judge,
    approval.judge,
    deviation.judge,
)
