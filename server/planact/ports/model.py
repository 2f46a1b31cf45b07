"""Seams to language models and to MCP servers."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any, Protocol

from planact.model.chat.language_model import LanguageModel
from planact.model.chat.message import ModelRequest, Reply, TextDelta
from planact.model.mcp import McpAnswer, McpListing, McpTool


class Model(Protocol):
    """A language model that can call tools."""

    def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Reply]:
        """Stream the answer to `request`; closing the iterator ends the connection.

        Raises:
            ModelFailure: with the code of the cause; `is_transient` where a retry may help.
        """


class Models(Protocol):
    """Models by name."""

    def open(self, name: str) -> Model:
        """Return the model called `name`, without connecting to it.

        Raises:
            ModelFailure: MODEL_NOT_CHOSEN. InvalidInput: CONFIG_INVALID for a script that can't be used.
        """

    def about(self, name: str) -> LanguageModel:
        """Return the known facts about the model called `name`, without loading it or connecting."""

    def dearest(self, name: str) -> LanguageModel:
        """Return the known model that costs most, of the same provider if one has a price; for a model without one."""
        ...

    def list(self) -> Sequence[LanguageModel]:
        """Return the models that are known by name; there may be others."""

    def providers(self) -> Collection[str]:
        """Return the providers that a name can begin with; empty = unknown."""


class McpServers(Protocol):
    """The MCP servers of the settings. They are started when they are first asked for, and again when they ended."""

    async def listings(self, names: Collection[str]) -> Sequence[McpListing]:
        """Return the servers' tools, by server name; waits some seconds for servers that start, all at once. Never
        raises: a server's problem is in its listing.
        """

    async def call(self, tool: McpTool, arguments: Mapping[str, Any], timeout: float, limit: int) -> McpAnswer:
        """Call a tool as it was listed; text beyond `limit` characters loses its middle. Cancelling tells the server.
        Raises McpFailure MCP_FAILED.
        """
