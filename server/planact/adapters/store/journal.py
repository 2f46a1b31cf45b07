"""The durable log and the before-images, in the state database. An entry is on disk when `append` returns."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
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

    def read(self, execution_id: str, kinds: Collection[str] = ()) -> Sequence[JournalEntry]:
        """The entries of one execution, in order: all, or those of some kinds."""
        among = json.dumps(list(kinds))
        entries = self._entries(
            "WHERE execution_id = ? AND (? = '[]' OR kind IN (SELECT value FROM json_each(?))) ORDER BY sequence",
            (execution_id, among, among),
        )
        return tuple(entry for entry in entries if not kinds or entry.kind in kinds)

    def runs(self, path: str = "", *, limit: int = 1_000) -> Sequence[JournalEntry]:
        """See `ports.Journal`."""
        return self._entries(
            "WHERE kind = 'run_started' AND json_valid(data) AND (? = '' OR json_extract(data, '$.path') = ?)"
            " ORDER BY sequence DESC LIMIT ?",
            (path, path, limit),
        )

    def run_ids(self) -> Sequence[str]:
        """See `ports.Journal`."""
        begun = "SELECT execution_id FROM journal WHERE kind = 'run_started' ORDER BY sequence DESC"
        return tuple(run_id for (run_id,) in self._database.rows(begun))

    def open_runs(self) -> Sequence[JournalEntry]:
        """See `ports.Journal`."""
        return self._entries(
            "AS begun WHERE kind = 'run_started' AND json_valid(data) AND NOT EXISTS (SELECT 1 FROM journal AS later"
            " WHERE later.execution_id = begun.execution_id AND later.kind = 'run_finished') ORDER BY sequence"
        )

    def count(self, kind: str) -> int:
        """How many entries of that kind there are, in all executions and outside of them."""
        return sum(count for (count,) in self._database.rows("SELECT count(*) FROM journal WHERE kind = ?", (kind,)))

    def _entries(self, which: str, parameters: Sequence[Any] = ()) -> Sequence[JournalEntry]:
        rows = self._database.rows(
            f"SELECT sequence, session_id, execution_id, kind, time, data FROM journal {which}",  # noqa: S608 - ours
            parameters,
        )
        return tuple(_entry(*row) for row in rows)

    def keep(self, data: bytes) -> str:
        """Keep a before-image as it is, since it must restore the file; returns its SHA-256 in hex."""
        digest = hashlib.sha256(data).hexdigest()
        if self._database.rows("SELECT 1 FROM images WHERE sha256 = ?", (digest,)):
            return digest  # a transaction waits for the disk
        self._database.write("INSERT OR IGNORE INTO images (sha256, data) VALUES (?, ?)", (digest, data))
        return digest

    def kept(self, sha256: str) -> bytes | None:
        """The before-image with that SHA-256, if there is one."""
        rows = self._database.rows("SELECT data FROM images WHERE sha256 = ?", (sha256,))
        return next((bytes(data) for (data,) in rows), None)


def _entry(sequence: int, session_id: str, execution_id: str, kind: str, time: str, text: str) -> JournalEntry:
    """One that a damaged disk has changed counts as lost: it hides no other."""
    try:
        data = json.loads(text)
    except ValueError:
        kind, data = "entries_lost", {}
    return JournalEntry(sequence, session_id, execution_id, kind, time, data)
