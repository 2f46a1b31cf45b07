"""The tools and paths that a role is limited to."""

from collections.abc import Sequence

from planact.model.rights.permission import Mode, PathEffect
from planact.policy.context import Deny, PolicyContext, Request, Verdict
from planact.policy.rights import may_use, may_write


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Refuse other tools, and to write other paths; who may write plans may also edit them."""
    name, rights = context.role.name, context.role.rights
    is_plan_edit = all(isinstance(touch.effect, PathEffect) for touch in request.touches) and request.touches
    is_by_plan = context.mode is Mode.PLAN and is_plan_edit and may_use(rights, "write_plan")
    if not may_use(rights, request.tool) and not is_by_plan:
        return (Deny("TOOL_BLOCKED_BY_ROLE", f"{request.tool} is none of the tools of the role {name}"),)
    for touch in request.touches:
        if not isinstance(touch.effect, PathEffect) or touch.effect.action in ("read", "search"):
            continue
        path = touch.place.relative if touch.place else None
        if path is not None and not may_write(rights, path):
            limits = " and also in ".join(sorted(", ".join(sorted(patterns)) for patterns in rights.paths))
            hint = f"It may write in {limits or 'nothing'}."
            return (Deny("TOOL_BLOCKED_BY_ROLE", f"the role {name} may not write {path}", hint),)
    return ()
