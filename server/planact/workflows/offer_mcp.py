"""The tools of MCP servers for one turn: they stay as they are until it ends, whatever the servers say meanwhile."""

from collections.abc import Mapping
from typing import Any

from planact.model.mcp import PREFIX
from planact.model.notice import ToolNotice
from planact.model.permission import Mode
from planact.policy.rights import may_use_some
from planact.policy.standing import Standing
from planact.tools.mcp import mcp_tools
from planact.tools.spec import Tool
from planact.workflows.workspace import Workspace


def servers_in_use(ws: Workspace) -> tuple[str, ...]:
    """Names of the MCP servers that the settings have, sorted."""
    return tuple(sorted(name for name, server in ws.settings.mcp.servers.items() if not server.disabled))


def trusted_readers(ws: Workspace) -> frozenset[tuple[str, str]]:
    """Server and tool of those that the user says only read."""
    servers = ws.settings.mcp.servers
    return frozenset((name, tool) for name in servers for tool in servers[name].read_only)


async def find_mcp_tools(ws: Workspace, session_id: str, now: Standing) -> Mapping[str, Tool[Any]]:
    """Start the servers that can be used now, and tell the user of those that don't work.

    In Plan that is none but those with a tool that the user says only reads; where the workspace isn't trusted, none.
    """
    readers = trusted_readers(ws)
    useful = {name for name, _ in readers} if now.mode is Mode.PLAN else set(servers_in_use(ws))
    rights = now.role.rights
    names = [n for n in servers_in_use(ws) if n in useful and may_use_some(rights, f"{PREFIX}{n}_")]
    if not names or now.is_restricted:
        return {}
    listings = await ws.ports.mcp.listings(names)
    tools, problems = mcp_tools(listings, readers)
    for problem in [*(listing.problem for listing in listings if listing.problem), *problems]:
        ws.ports.editor.tell(ToolNotice(session_id, "mcp", problem, "MCP_FAILED"))
    return tools
