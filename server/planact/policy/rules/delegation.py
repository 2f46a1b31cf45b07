"""A role delegates to those that it may ask. A delegate delegates no further, and doesn't ask about the plan's fate."""

from collections.abc import Sequence

from planact.model.rights.permission import ExitPlanEffect, SpawnEffect
from planact.policy.context import Deny, PolicyContext, Request, Verdict


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Refuse both to a delegate, and other roles than it may ask to any role."""
    if context.is_delegate and any(isinstance(t.effect, SpawnEffect | ExitPlanEffect) for t in request.touches):
        return (Deny("TOOL_BLOCKED_BY_ROLE", f"{request.tool} is not for delegates", "Say so in your report."),)
    named = context.role.delegates
    asked = [touch.effect.role for touch in request.touches if isinstance(touch.effect, SpawnEffect)]
    if named is not None and not named.issuperset(asked):
        reason = f"the role {context.role.name} hands no tasks to {asked[0]}"
        return (Deny("TOOL_BLOCKED_BY_ROLE", reason, f"It may ask {' and '.join(sorted(named))}."),)
    return ()
