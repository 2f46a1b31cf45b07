"""Rules for calls that the user always allows. Each form names exactly one command, folder or tool and takes no
pattern, so no rule covers more than the user saw; but for `AllowedCalls`, whose options and files may vary.
"""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from planact.base.frozen_model import FrozenModel
from planact.model.rights.permission import PathAction


class _RuleData(FrozenModel):
    model_config = ConfigDict(extra="forbid")


class AllowedCommand(_RuleData):
    """A command by its exact text, in one directory relative to the workspace folder. `more`: called with the network
    asked for, or to go on beside the work; empty = neither.
    """

    kind: Literal["command"] = "command"
    command: str
    directory: str
    more: Literal["", "network", "background"] = ""

    def __str__(self) -> str:
        named = f"`{self.command}` in {_folder(self.directory)}"
        if self.more == "background":
            return f"start {named}"
        return f"run {named}{' with the network' * bool(self.more)}"


COMMITS = "git commit"
"""How calls begin that stage files and commit them."""


class AllowedCalls(_RuleData):
    """All calls of a command, by its first words, with options of a closed list and any files of the workspace, in one
    directory relative to the workspace folder; of `curl` and a server, all requests to that which name no files; of
    `git commit`, all that stage files there and commit them.
    """

    kind: Literal["calls"] = "calls"
    start: str
    directory: str

    def __str__(self) -> str:
        if self.start.startswith("curl "):
            return f"send any requests to {self.start.removeprefix('curl ')} by `curl` in {_folder(self.directory)}"
        if self.start == COMMITS:
            return f"stage files in {_folder(self.directory)} and commit them, by `git add` and `git commit -m …`"
        return f"run `{self.start} …` in {_folder(self.directory)}, with its usual options and any files there"


class AllowedPath(_RuleData):
    """One action on one path, relative to the workspace folder with links followed."""

    kind: Literal["path"] = "path"
    action: PathAction
    path: str

    def __str__(self) -> str:
        return f"{self.action.replace('_', ' ')} {self.path}"


class AllowedReading(_RuleData):
    """Reading all that lies below a folder outside the workspace, by its absolute path."""

    kind: Literal["reading"] = "reading"
    folder: str

    def __str__(self) -> str:
        return f"read below {self.folder}"


class AllowedMcpTool(_RuleData):
    """One tool of one MCP server, with any arguments, as long as the server describes it in the same words."""

    kind: Literal["mcp"] = "mcp"
    server: str
    tool: str
    fingerprint: str

    def __str__(self) -> str:
        return f"call {self.tool} of the MCP server {self.server}, whatever its arguments"


class AllowedServers(_RuleData):
    """Commands that only read may ask these servers: hosts that the repository's settings of git name, and servers of
    this machine with their ports. Sorted.
    """

    kind: Literal["servers"] = "servers"
    servers: tuple[str, ...]

    def __str__(self) -> str:
        return f"ask {', '.join(self.servers)} by commands that only read"


class AllowedPages(_RuleData):
    """Pages of one host, by addresses that the model didn't make up."""

    kind: Literal["pages"] = "pages"
    host: str

    def __str__(self) -> str:
        return f"fetch pages of {self.host}, by addresses from you, a search or a fetched page"


class AllowedOutcome(_RuleData):
    """What a command that ran on trial writes to these files is kept, or that they are new. `command` = its text from
    the workspace folder, without filters at its end.
    """

    kind: Literal["outcome"] = "outcome"
    command: str
    paths: tuple[str, ...]

    def __str__(self) -> str:
        return f"keep what `{self.command}` writes to {', '.join(self.paths)}"


Allowed = Annotated[
    AllowedCommand
    | AllowedCalls
    | AllowedPath
    | AllowedReading
    | AllowedMcpTool
    | AllowedServers
    | AllowedPages
    | AllowedOutcome,
    Field(discriminator="kind"),
]


class Rule(_RuleData):
    """A rule as it is kept. `created_at`: ISO 8601, UTC."""

    id: str
    created_at: str
    allows: Allowed


def _folder(directory: str) -> str:
    return "the workspace folder" if directory == "." else directory
