"""Tools of MCP servers, as the servers tell of them. All of it is the servers' word, and so hostile until checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planact.base.errors import ErrorCode

PREFIX = "mcp_"
"""Names of these tools begin with it, and no other tool's does: `mcp_<server>_<tool>`."""


@dataclass(frozen=True, slots=True)
class McpTool:
    """One tool of one server.

    Attributes:
        server: its name in the settings.
        name: as the server calls it; letters, digits and `_-./`.
        parameters: the JSON schema of its arguments, as the server gave it.
        says_read_only: the server's own hint, which is shown and never believed.
        fingerprint: SHA-256 of how the server is reached and all that it says of the tool: another one is another tool.
    """

    server: str
    name: str
    description: str
    parameters: Mapping[str, Any]
    says_read_only: bool
    fingerprint: str


@dataclass(frozen=True, slots=True)
class McpListing:
    """The tools that a server offers now.

    Attributes:
        problem: cause and next step, where it offers no tools, or fewer than it announced.
        code: the error code of that.
        advice: the change to make in the settings, where they seem to rely on starting in the workspace; empty = none.
    """

    server: str
    tools: tuple[McpTool, ...] = ()
    problem: str = ""
    code: ErrorCode = "MCP_FAILED"
    advice: str = ""


@dataclass(frozen=True, slots=True)
class McpAnswer:
    """An answer of a tool of an MCP server. Its `images` are such as models take, in the order of the text that counts
    them.
    """

    text: str
    images: tuple[bytes, ...] = ()
