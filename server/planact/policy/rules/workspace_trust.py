"""Where the user doesn't trust what is in the workspace, nothing that could run a part of it is started."""

from collections.abc import Sequence

from planact.model.effect import CommandEffect, McpEffect
from planact.policy.standing import Request, Standing
from planact.policy.verdict import Deny, Verdict


def judge(request: Request, standing: Standing) -> Sequence[Verdict]:
    """Refuse commands and MCP tools there, whoever calls them."""
    starts = any(isinstance(touch.effect, CommandEffect | McpEffect) for touch in request.touches)
    if not (standing.is_restricted and starts):
        return ()
    reason = "No command and no MCP server runs in this workspace, since the user hasn't trusted it in their editor"
    return (Deny("WORKSPACE_UNTRUSTED", reason, "Read files, or trust it by “Workspaces: Manage Workspace Trust”."),)
