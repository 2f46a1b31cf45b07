"""Who works for another role hands nothing further out, and what becomes of the plan is not theirs to ask."""

from collections.abc import Sequence

from planact.model.effect import ExitPlanEffect, SpawnEffect
from planact.policy.standing import Request, Standing
from planact.policy.verdict import Deny, Verdict


def judge(request: Request, standing: Standing) -> Sequence[Verdict]:
    """Refuse a delegate both."""
    if standing.is_delegate and any(isinstance(t.effect, SpawnEffect | ExitPlanEffect) for t in request.touches):
        return (Deny("TOOL_BLOCKED_BY_ROLE", f"{request.tool} is not for delegates", "Say so in your report."),)
    return ()
