"""What the user always allows. Each form names exactly one thing and knows no pattern, so no rule covers more than was
said when it was made.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from planact.model.effect import PathAction


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")


class AllowedCommand(_Data):
    """A command by its exact text, in one directory relative to the workspace folder."""

    kind: Literal["command"] = "command"
    command: str
    directory: str

    def __str__(self) -> str:
        return f"run `{self.command}` in {_folder(self.directory)}"


class AllowedPath(_Data):
    """One action on one path, relative to the workspace folder with links followed."""

    kind: Literal["path"] = "path"
    action: PathAction
    path: str

    def __str__(self) -> str:
        return f"{self.action.replace('_', ' ')} {self.path}"


class AllowedMcpTool(_Data):
    """One tool of one MCP server, whatever its arguments, as long as the server says the same of it."""

    kind: Literal["mcp"] = "mcp"
    server: str
    tool: str
    fingerprint: str

    def __str__(self) -> str:
        return f"call {self.tool} of the MCP server {self.server}, whatever its arguments"


Allowed = Annotated[AllowedCommand | AllowedPath | AllowedMcpTool, Field(discriminator="kind")]


class Rule(_Data):
    """A rule as it is kept. `created_at`: ISO 8601, UTC."""

    id: str
    created_at: str
    allows: Allowed


def _folder(directory: str) -> str:
    return "the workspace folder" if directory == "." else directory
