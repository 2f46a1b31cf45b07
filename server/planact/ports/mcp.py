"""The seam to MCP servers."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from planact.model.mcp import McpListing, McpTool


class McpServers(Protocol):
    """The MCP servers of the settings. They are started when they are first asked for, and again when they ended."""

    async def listings(self, names: Collection[str]) -> Sequence[McpListing]:
        """What these servers offer now, by name; waits some seconds for those that start, together. Never raises: what
        is wrong with a server is in its listing.
        """
        ...

    async def call(self, tool: McpTool, arguments: Mapping[str, Any], timeout: float, limit: int) -> str:
        """Call a tool as it was listed; output beyond `limit` characters loses its middle. Cancelling tells the server.
        Raises McpFailure MCP_FAILED.
        """
        ...
