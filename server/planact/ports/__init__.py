"""The seams: every Protocol through which planact touches the outside.

Stores are synchronous, since each call is one short SQLite transaction; what waits for people, models, editors or
processes is async.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from planact.base.clock import Clock
from planact.base.ids import IdSource
from planact.ports.commands import Before, CommandReader, Footprints, Protected, ProtectedFiles, Runner, Running
from planact.ports.kept import (
    Approvals,
    Events,
    Journal,
    Lock,
    Questions,
    Records,
    Revisions,
    Rules,
    Sessions,
    UserRoles,
)
from planact.ports.mcp import McpServers
from planact.ports.model import Model, Models
from planact.ports.watch import Told, Watcher
from planact.ports.workspace import Editor, Files, Symbols

__all__ = [
    "Approvals",
    "Before",
    "CommandReader",
    "Editor",
    "Events",
    "Files",
    "Footprints",
    "Journal",
    "Lock",
    "McpServers",
    "Model",
    "Models",
    "Ports",
    "Protected",
    "ProtectedFiles",
    "Questions",
    "Records",
    "Revisions",
    "Rules",
    "Runner",
    "Running",
    "Sessions",
    "Symbols",
    "Told",
    "UserRoles",
    "Watcher",
]


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything outside, for one workspace folder. Made by `app.py`. `lock` is that of the folder, for runs;
    `session_lock` gives that of a session with some id, for whatever works in it. `redact` gives a JSON value without
    secrets, for what is written down beside the stores.
    """

    models: Models
    files: Files
    symbols: Symbols
    commands: CommandReader
    runner: Runner
    protected: ProtectedFiles
    footprints: Footprints
    mcp: McpServers
    editor: Editor
    sessions: Sessions
    journal: Journal
    questions: Questions
    approvals: Approvals
    rules: Rules
    records: Records
    user_roles: UserRoles
    revisions: Revisions
    events: Events
    lock: Lock
    session_lock: Callable[[str], Lock]
    clock: Clock
    ids: IdSource
    redact: Callable[[Any], Any]
