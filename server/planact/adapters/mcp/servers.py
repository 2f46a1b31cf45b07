"""All MCP servers of one workspace folder. The first turn that asks for a server imports the SDK and starts it."""

import asyncio
import importlib
import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from planact.adapters.mcp.context import LaunchContext
from planact.base.errors import McpFailure
from planact.model.mcp import McpAnswer, McpListing, McpTool
from planact.model.settings import McpServer


class McpConnections:
    """`ports.McpServers`. Programs also get a token in `token_variable`."""

    def __init__(self, context: LaunchContext, token_variable: str, version: str) -> None:
        self._context = context
        self._token_variable = token_variable
        self._version = version
        self._servers: dict[str, McpServer] = {}
        self._connections: dict[str, Any] = {}
        self._leaving: list[Any] = []

    def use(self, servers: Mapping[str, McpServer]) -> None:
        """Apply the current settings: end servers that were removed or changed."""
        for name in [name for name in self._connections if servers.get(name) != self._servers[name]]:
            connection = self._connections.pop(name)
            connection.retire()
            self._leaving.append(connection)
        self._servers = {name: server for name, server in servers.items() if not server.disabled}

    async def listings(self, names: Collection[str]) -> Sequence[McpListing]:
        known = [name for name in sorted(names) if name in self._servers]
        if known:
            # Half a second of importing, beside the event loop.
            await asyncio.to_thread(importlib.import_module, "planact.adapters.mcp.connection")
        for name in known:
            if name not in self._connections:
                self._connections[name] = self._connect(name, self._servers[name])
        listings: list[McpListing] = await asyncio.gather(*(self._connections[name].listing() for name in known))
        return listings

    async def call(self, tool: McpTool, arguments: Mapping[str, Any], timeout: float, limit: int) -> McpAnswer:
        connection = self._connections.get(tool.server)
        if connection is None:
            message = f"the MCP server {tool.server} is not in use any more"
            raise McpFailure("MCP_FAILED", message, "Go another way.")
        answer: McpAnswer = await connection.call(tool, arguments, timeout, limit)
        return answer

    async def close(self) -> None:
        """End all servers and their processes."""
        ending = [*self._connections.values(), *self._leaving]
        self._connections, self._leaving = {}, []
        await asyncio.gather(*(connection.end() for connection in ending))

    def _connect(self, name: str, server: McpServer) -> Any:
        from planact.adapters.mcp.connection import Connection
        from planact.adapters.mcp.launch import Launch, reliance
        from planact.adapters.mcp.process import HttpServer, ServerProcess

        for logger in ("mcp", "client"):  # the SDK's loggers, which log the servers' texts
            logging.getLogger(logger).setLevel(logging.CRITICAL)
        if server.url:
            return Connection(name, (server.url,), lambda: HttpServer(server.url, server.headers), self._version)
        return Connection(
            name,
            (server.cwd, server.command, *server.args),
            lambda: ServerProcess(Launch(server, self._context), self._token_variable),
            self._version,
            root=self._context.root,
            advice=lambda: reliance(server, self._context.root),
        )
