"""In a workspace that the user doesn't trust, no program starts that could run a part of it."""

from collections.abc import Sequence

from planact.model.rights.permission import CommandEffect, McpEffect
from planact.policy.context import Deny, PolicyContext, Request, Verdict


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Refuse commands and MCP tools of every caller in an untrusted workspace."""
    starts = any(isinstance(touch.effect, CommandEffect | McpEffect) for touch in request.touches)
    if not (context.is_restricted and starts):
        return ()
    reason = "No command and no MCP server runs in this workspace, since the user hasn't trusted it in their editor"
    return (Deny("WORKSPACE_UNTRUSTED", reason, "Read files, or trust it by “Workspaces: Manage Workspace Trust”."),)
