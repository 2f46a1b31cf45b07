"""What `planact.showStatus` gives back: where things stand in a folder."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from planact.model.permission import Mode
from planact.model.session import Session


class _Result(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True)


class OpenFolder(_Result):
    """A workspace folder, under the name that the client gave it; its `uri` is what commands take."""

    uri: str
    name: str
    path: str


class HalfRolledBack(_Result):
    """A run whose rollback was killed; `text` says so. `planact.rollBack` with its id goes on with it."""

    execution_id: str
    text: str


class Status(_Result):
    """Where things stand in a folder.

    Attributes:
        folder: its URI; empty where none is open.
        session: the one in hand; missing before the first.
        mode: of that session, or of the one to come.
        model: the name of the model in use, empty = none chosen.
        context_window: so many tokens it takes in one request; 0 = nobody knows.
        is_running: whether work is under way in that session.
        open_questions: how many wait, in all folders.
        is_trusted: whether `.planact/` of the folder counts fully; also true when it holds nothing to trust.
        fingerprint: of all that `.planact/` of the folder says that counts only when trusted; empty = nothing.
        folders: all workspace folders, in the client's order.
        sandbox: what holds commands here, in words.
        mcp_servers: names of the MCP servers that the settings of the folder have.
        missing: what the user still has to choose or give before a model can be asked.
        is_restricted: whether the client said that the workspace isn't trusted, so that nothing runs there.
        half_rolled_back: runs of which some files may be put back, and others not.
    """

    version: str
    folder: str = ""
    session: Session | None = None
    mode: Mode
    model: str = ""
    context_window: int = 0
    is_running: bool = False
    open_questions: int = 0
    is_trusted: bool = False
    fingerprint: str = ""
    folders: tuple[OpenFolder, ...] = ()
    sandbox: str = ""
    mcp_servers: tuple[str, ...] = ()
    missing: Literal["", "model", "key"] = ""
    is_restricted: bool = False
    half_rolled_back: tuple[HalfRolledBack, ...] = ()
