"""Tools of MCP servers for one turn; they stay the same until it ends, also where a server changes its list."""

from collections.abc import Mapping
from typing import Any

from planact.model.mcp import PREFIX
from planact.model.notice import ToolNotice
from planact.model.rights.permission import Mode
from planact.policy.context import PolicyContext
from planact.policy.rights import may_use, may_use_some
from planact.tools.mcp.tools import mcp_tools
from planact.tools.tool import Tool
from planact.workflows.trust_folder import notify_untrusted
from planact.workflows.workspace import Workspace


def servers_in_use(ws: Workspace) -> tuple[str, ...]:
    """Return the names of the MCP servers in the settings, sorted; none where they wait for the user's trust."""
    return () if ws.awaits_trust() else ws.settings.mcp.enabled


def trusted_readers(ws: Workspace) -> frozenset[tuple[str, str]]:
    """Return server and tool of those that the user marked as only reading."""
    servers = ws.settings.mcp.servers
    return frozenset((name, tool) for name in servers for tool in servers[name].read_only)


async def find_mcp_tools(ws: Workspace, session_id: str, now: PolicyContext) -> Mapping[str, Tool[Any]]:
    """Start the servers that can be used now, return their tools by name, and tell the user of servers that don't work.

    In Plan that is none but those with a tool that the user says only reads; where the workspace isn't trusted, none.
    """
    readers, configured = trusted_readers(ws), ws.settings.mcp.enabled
    useful = {name for name, _ in readers} if now.mode is Mode.PLAN else set(configured)
    role = now.role
    rights = (role.rights, role.delegable_rights) if may_use(role.rights, "delegate") else (role.rights,)
    names = [n for n in configured if n in useful and any(may_use_some(each, f"{PREFIX}{n}_") for each in rights)]
    if not names or now.is_restricted:
        return {}
    if ws.awaits_trust():
        notify_untrusted(ws, session_id, "mcp")
        return {}
    listings = await ws.ports.mcp.listings(names)
    tools, problems = mcp_tools(listings, readers)
    for listing in listings:
        if listing.problem:
            text = " ".join(filter(None, (listing.problem, listing.advice)))
            ws.ports.editor.notify(ToolNotice(session_id, "mcp", text, listing.code))
    for problem in problems:
        ws.ports.editor.notify(ToolNotice(session_id, "mcp", problem, "MCP_FAILED"))
    return tools
