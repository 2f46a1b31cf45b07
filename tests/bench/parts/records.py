"""What it takes to write things down before they are done: journal, messages, before-images, footprints of commands.

The baseline of what goes to the database is SQLite alone, with the same log and the same waiting for the disk.
"""

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from planact.model.chat.message import Message
from tests.bench.calls import a_workspace
from tests.bench.row import Room, Row, in_turns
from tests.bench.trees import grow

ENTRY = {"tool": "read_file", "arguments": {"path": "src/module.py", "first_line": 1}, "call": "call_1"}


def bench(room: Room) -> Iterator[Row]:
    workspace = a_workspace(room)
    ports, raw = workspace.ports, RawTable(room.folder / "raw.db")
    numbers = count()

    def said(role: str) -> Message:
        number = next(numbers)
        return Message(id=f"m{number}", session_id="s", role=role, content=f"{number} " + "word " * 200)

    text = said("user").model_dump_json()
    runs = room.pick(200, 2)
    for name, act, is_synced in (
        ("append to the journal", lambda: ports.journal.append("s", "e", "call_started", ENTRY), True),
        ("keep a message of the user's", lambda: ports.sessions.add_message(said("user")), True),
        ("keep an answer of 1 kB", lambda: ports.sessions.add_message(said("assistant")), False),
    ):
        took = in_turns(runs, {"ours": act, "raw": lambda: raw.insert(text, is_synced=is_synced)})  # noqa: B023
        waiting = "synced" if is_synced else "not synced"
        yield Row(name, "ms", took["ours"], took["raw"], f"SQLite, {waiting}")
    for size in (10_000, 1_000_000):
        images = in_turns(
            room.pick(50, 2),
            {
                "new": lambda: ports.journal.keep(os.urandom(size)),  # noqa: B023
                "raw": lambda: raw.insert(os.urandom(size), is_synced=True),  # noqa: B023
            },
        )
        yield Row(f"keep a before-image of {size // 1_000:,} kB", "ms", images["new"], images["raw"], "SQLite, synced")
    yield from footprints(room)


def footprints(room: Room) -> Iterator[Row]:
    """Looking at what git tracks, before a command and after it, of which a hundredth has changed."""
    files = room.pick(20_000, 200)
    workspace = a_workspace(room, "repository")
    root = workspace.ports.files.root
    grow(root, files)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run(
            ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.org", *words], cwd=root, check=True
        )
    took = in_turns(
        room.pick(9, 1),
        {
            "look": lambda: workspace.ports.footprints.snapshot(()).found(),
            "raw": lambda: subprocess.run(["git", "status", "--porcelain"], cwd=root, check=True, capture_output=True),
        },
    )
    yield Row(f"look around a command, {files:,} tracked files", "ms", took["look"], took["raw"], "git status")


class RawTable:
    """One table in a database of its own."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("CREATE TABLE raw (sequence INTEGER PRIMARY KEY, data)")

    def insert(self, data: str | bytes, *, is_synced: bool) -> None:
        self._connection.execute(f"PRAGMA synchronous = {'FULL' if is_synced else 'NORMAL'}")
        self._connection.execute("INSERT INTO raw (data) VALUES (?)", (data,))
