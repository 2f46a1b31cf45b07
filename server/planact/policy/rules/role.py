"""Limits of the role: the permissions that a tool requires, less where the call only reads or only plans."""

from collections.abc import Sequence

from planact.model.rights.permission import CommandEffect, Mode, OutputEffect, Permission
from planact.policy.commands import only_reads
from planact.policy.context import Deny, PolicyContext, Request, Verdict
from planact.policy.rights import MODE_PERMISSIONS


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Refuse a call whose tool requires a permission that the role hasn't."""
    role = context.role
    permissions = role.rights.permissions
    missing = request.required - permissions
    commands = [touch for touch in request.touches if isinstance(touch.effect, CommandEffect)]
    is_reading = bool(commands) and all(touch.found is not None and only_reads(touch.found) for touch in commands)
    if is_reading or any(isinstance(touch.effect, OutputEffect) for touch in request.touches):
        missing -= {Permission.EXECUTE_COMMANDS}  # what only reads needs no more than reading does
        missing |= {Permission.READ_FILES} - permissions
    # In Plan the mode rule has checked each effect: a write tool is left with plan documents.
    if context.mode is Mode.PLAN and role.mode is Mode.PLAN:
        missing &= MODE_PERMISSIONS[Mode.PLAN]
    if not missing:
        return ()
    names = ", ".join(sorted(missing))
    return (
        Deny("TOOL_BLOCKED_BY_ROLE", f"the role {role.name} has no permission {names}, which {request.tool} needs"),
    )
