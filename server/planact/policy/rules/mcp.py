"""Effects of MCP tools are unknown and can't be undone: `acceptAll`, which is for the workspace, covers none."""

from collections.abc import Sequence

from planact.model.rights.permission import McpEffect
from planact.policy.context import Ask, PolicyContext, Request, Verdict


def judge(request: Request, context: PolicyContext) -> Sequence[Verdict]:
    """Ask about each that the user doesn't say only reads."""
    found: list[Verdict] = []
    for touch in request.touches:
        if not isinstance(touch.effect, McpEffect):
            continue
        server, tool = touch.effect.server, touch.effect.tool
        if (server, tool) not in context.mcp_read_only:
            hint = (
                ". The server says that it only reads, which planact can't check" if touch.effect.says_read_only else ""
            )
            found.append(Ask(f"the tool {tool} of the MCP server {server} may change things anywhere{hint}", (touch,)))
    return found
