"""A delegate delegates no further, and doesn't ask the user about the fate of the plan."""

from collections.abc import Sequence

from planact.model.rights.permission import ExitPlanEffect, SpawnEffect
from planact.policy.context import Deny, PolicyContext, Request, Verdict


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Refuse a delegate both."""
    if context.is_delegate and any(isinstance(t.effect, SpawnEffect | ExitPlanEffect) for t in request.touches):
        return (Deny("TOOL_BLOCKED_BY_ROLE", f"{request.tool} is not for delegates", "Say so in your report."),)
    return ()
