"""The seams: every Protocol through which planact touches the outside.

Stores are synchronous, since each call is one short SQLite transaction; ports that wait for people, models, editors or
processes are async.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from planact.base.sources import Clock, IdSource
from planact.ports.commands import (
    Before,
    CommandReader,
    Footprints,
    Program,
    Protected,
    ProtectedFiles,
    Runner,
    Running,
    ScratchFolders,
    TrialBefore,
)
from planact.ports.model import McpServers, Model, Models
from planact.ports.pages import Pages
from planact.ports.stores import (
    Approvals,
    Events,
    Journal,
    KeptOutputs,
    Lock,
    Questions,
    Records,
    Revisions,
    Rules,
    Sessions,
    UserRoles,
)
from planact.ports.workspace import (
    Editor,
    Files,
    IsPublic,
    LanguageServers,
    PdfFiles,
    ReadableFolders,
    Symbols,
    Told,
    Watcher,
)

__all__ = [
    "Approvals",
    "Before",
    "CommandReader",
    "Editor",
    "Events",
    "Files",
    "Footprints",
    "IsPublic",
    "Journal",
    "KeptOutputs",
    "LanguageServers",
    "Lock",
    "McpServers",
    "Model",
    "Models",
    "Pages",
    "PdfFiles",
    "Ports",
    "Program",
    "Protected",
    "ProtectedFiles",
    "Questions",
    "ReadableFolders",
    "Records",
    "Revisions",
    "Rules",
    "Runner",
    "Running",
    "ScratchFolders",
    "Sessions",
    "Symbols",
    "Told",
    "TrialBefore",
    "UserRoles",
    "Watcher",
]


@dataclass(frozen=True, slots=True)
class Ports:
    """All ports of one workspace folder, made by `app.py`.

    Attributes:
        lock: the folder's lock, for runs.
        session_lock: returns the lock of the session with an id, for work in that session.
        redact: returns a JSON value without secrets, for texts that are written beside the stores.
    """

    models: Models
    files: Files
    symbols: Symbols
    pdf_files: PdfFiles
    commands: CommandReader
    runner: Runner
    scratch: ScratchFolders
    protected: ProtectedFiles
    footprints: Footprints
    mcp: McpServers
    pages: Pages
    language_servers: LanguageServers
    editor: Editor
    sessions: Sessions
    outputs: KeptOutputs
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
    readable: ReadableFolders
    clock: Clock
    ids: IdSource
    redact: Callable[[Any], Any]
