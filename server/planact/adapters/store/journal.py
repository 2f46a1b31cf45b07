"""The durable log and the before-images, in the state database. An entry is on disk when `append` returns."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from planact.adapters.store.database import Database
from planact.base.clock import Clock
from planact.model.journal import JournalEntry


class SqliteJournal:
    """`ports.Journal`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def append(self, session_id: str, execution_id: str, kind: str, data: Mapping[str, Any]) -> int:
        """On disk when this returns; the entry's sequence number. Raises StorageFailure."""
        time = self._clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        with self._database.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO journal (session_id, execution_id, kind, time, data) VALUES (?, ?, ?, ?, ?)",
                (session_id, execution_id, kind, time, self._database.json(data)),
            )
            return cursor.lastrowid or 0

    def read(self, execution_id: str) -> Sequence[JournalEntry]:
        """All entries of one execution, in order."""
        rows = self._database.rows(
            "SELECT sequence, session_id, execution_id, kind, time, data FROM journal"
            " WHERE execution_id = ? ORDER BY sequence",
            (execution_id,),
        )
        return tuple(
            JournalEntry(sequence, session_id, execution_id, kind, time, json.loads(data))
            for sequence, session_id, execution_id, kind, time, data in rows
        )

    def count(self, kind: str) -> int:
        """How many entries of that kind there are, in all executions and outside of them."""
        return sum(count for (count,) in self._database.rows("SELECT count(*) FROM journal WHERE kind = ?", (kind,)))

    def keep(self, data: bytes) -> str:
        """Keep a before-image as it is, since it must restore the file; returns its SHA-256 in hex."""
        digest = hashlib.sha256(data).hexdigest()
        self._database.write("INSERT OR IGNORE INTO images (sha256, data) VALUES (?, ?)", (digest, data))
        return digest
