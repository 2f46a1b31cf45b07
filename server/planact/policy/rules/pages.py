"""Pages of the web: an address can carry texts of the workspace to whoever reads it, so `acceptAll`, which is for the
workspace, covers none.
"""

from collections.abc import Sequence

from planact.model.rights.permission import PageEffect
from planact.policy.context import Ask, Deny, PolicyContext, Request, Verdict


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Ask about each page; addresses of the model's making are asked about even where pages of the host are allowed."""
    found: list[Verdict] = []
    for touch in request.touches:
        if not isinstance(touch.effect, PageEffect):
            continue
        if context.is_restricted or context.awaits_trust:
            reason = "No page is fetched for a folder that the user hasn't trusted"
            hint = "The user can trust it: in the editor by “Workspaces: Manage Workspace Trust”, else planact trust."
            return (Deny("WORKSPACE_UNTRUSTED", reason, hint),)
        if touch.is_given:
            reason = "you haven't allowed pages of this host"
        else:
            reason = "the model put this address together itself, so it can carry texts of your files"
        found.append(Ask(reason, (touch,)))
    return found
