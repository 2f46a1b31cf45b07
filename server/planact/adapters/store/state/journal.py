"""The durable log and the before-images, in the state database."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from planact.adapters.store.state.database import Database
from planact.base.sources import Clock
from planact.model.runs.journal import JournalEntry

_OF_STEPS = "kind IN ('step_started', 'step_finished', 'repair_started') AND json_valid(data)"
_STEP = "coalesce(json_extract(data, '$.step_number'), json_extract(data, '$.step.step_number'))"
"""As in the index, which SQLite uses for the same words alone."""


class SqliteJournal:
    """`ports.Journal`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._begun: tuple[object, int, tuple[str, ...]] = (None, 0, ())

    def append(
        self, session_id: str, execution_id: str, kind: str, data: Mapping[str, Any], *, is_synced: bool = True
    ) -> int:
        time = self._clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        with self._database.transaction(is_synced=is_synced) as connection:
            cursor = connection.execute(
                "INSERT INTO journal (session_id, execution_id, kind, time, data) VALUES (?, ?, ?, ?, ?)",
                (session_id, execution_id, kind, time, self._database.json(data)),
            )
            return cursor.lastrowid or 0

    def read(self, execution_id: str, kinds: Collection[str] = (), *, after: int = 0) -> Sequence[JournalEntry]:
        """Return the entries of one execution, in order: all, or those of some kinds, or those after a sequence
        number.
        """
        of_kinds = "AND kind IN (SELECT value FROM json_each(?)) " if kinds else ""
        entries = self._entries(
            f"WHERE execution_id = ? AND sequence > ? {of_kinds}ORDER BY sequence",
            (execution_id, after, *([json.dumps(list(kinds))] if kinds else [])),
        )
        return tuple(entry for entry in entries if not kinds or entry.kind in kinds)

    def of_step(self, execution_id: str, number: int) -> Sequence[JournalEntry]:
        return self._entries(
            f"INDEXED BY journal_steps WHERE {_OF_STEPS} AND execution_id = ? AND {_STEP} = ? ORDER BY sequence",
            (execution_id, number),
        )

    def step_starts(self, path: str, number: int) -> Sequence[JournalEntry]:
        entries = (entry for run_id in self.run_ids(path) for entry in self.of_step(run_id, number))
        return tuple(entry for entry in entries if entry.kind == "step_started")

    def runs(self, path: str = "", *, limit: int = 1_000) -> Sequence[JournalEntry]:
        if path:  # of a plan, only the newest run goes on, so they stand in the order in which they began
            which = "kind = 'run_started' AND json_valid(data) AND json_extract(data, '$.path') = ?"
            return self._entries(f"WHERE {which} ORDER BY sequence DESC LIMIT ?", (path, limit))
        rows = self._database.rows(
            "SELECT run.sequence, run.session_id, run.execution_id, run.kind, run.time, run.data"
            " FROM journal AS begun INDEXED BY journal_begun CROSS JOIN journal AS run"
            " ON run.execution_id = begun.execution_id AND run.kind = 'run_started' AND json_valid(run.data)"
            " WHERE begun.kind IN ('run_started', 'run_resumed') AND NOT EXISTS (SELECT 1 FROM journal AS later"
            " WHERE later.execution_id = begun.execution_id AND later.kind = 'run_resumed'"
            " AND later.sequence > begun.sequence) ORDER BY begun.sequence DESC LIMIT ?",
            (limit,),
        )
        return tuple(_entry(*row) for row in rows)

    def run_ids(self, path: str = "", plan_id: str = "") -> Sequence[str]:
        if not (path or plan_id):
            return self._all_run_ids()
        begun = "SELECT sequence FROM journal WHERE kind = 'run_started' AND json_valid(data) AND json_extract(data, "
        either = f"sequence IN ({begun}'$.path') = nullif(?, '') UNION {begun}'$.plan_id') = nullif(?, ''))"
        rows = self._database.rows(
            f"SELECT execution_id FROM journal WHERE {either} ORDER BY sequence DESC",  # noqa: S608 - ours
            (path, plan_id),
        )
        return tuple(run_id for (run_id,) in rows)

    def _all_run_ids(self) -> Sequence[str]:
        """Read only new ids, since editors ask with every key, and all ids again after another process wrote."""
        view = self._database.view()
        before, last, ids = self._begun
        if before != view:
            last, ids = 0, ()
        rows = self._database.rows(
            "SELECT sequence, execution_id FROM journal AS begun INDEXED BY journal_begun"
            " WHERE begun.kind IN ('run_started', 'run_resumed') AND sequence > ? ORDER BY sequence DESC",
            (last,),
        )
        if rows:
            last, ids = rows[0][0], tuple(dict.fromkeys((*(run_id for _, run_id in rows), *ids)))
        self._begun = (view, last, ids)
        return ids

    def open_runs(self) -> Sequence[JournalEntry]:
        # Their ids come first, from indexes alone: ended runs are many, and large.
        return self._entries(
            "WHERE execution_id IN (SELECT execution_id FROM journal AS begun INDEXED BY journal_begun"
            " WHERE begun.kind IN ('run_started', 'run_resumed') AND NOT EXISTS (SELECT 1 FROM journal AS later"
            " WHERE later.execution_id = begun.execution_id AND later.kind IN ('run_resumed', 'run_finished')"
            " AND later.sequence > begun.sequence)) AND kind = 'run_started' AND json_valid(data) ORDER BY sequence"
        )

    def runs_since(self, sequence: int, kinds: Collection[str]) -> Sequence[str]:
        among = json.dumps(list(kinds))
        rows = self._database.rows(
            "SELECT DISTINCT execution_id FROM journal INDEXED BY journal_kind"
            " WHERE kind IN (SELECT value FROM json_each(?)) AND sequence >= ?",
            (among, sequence),
        )
        return tuple(run_id for (run_id,) in rows)

    def runs_with(self, kind: str) -> Mapping[str, int]:
        counted = "SELECT execution_id, count(*) FROM journal WHERE kind = ? GROUP BY execution_id ORDER BY sequence"
        return dict(self._database.rows(counted, (kind,)))

    def paths_changed(self, path: str) -> frozenset[str]:
        rows = self._database.rows(
            "SELECT DISTINCT json_extract(data, '$.path') FROM journal WHERE kind = 'file_changed' AND json_valid(data)"
            " AND execution_id IN (SELECT execution_id FROM journal WHERE kind = 'run_started' AND json_valid(data)"
            " AND json_extract(data, '$.path') = ?)",
            (path,),
        )
        return frozenset(changed for (changed,) in rows if changed)

    def count(self, kind: str) -> int:
        """Return how many entries of that kind exist, in all executions and outside of them."""
        return sum(count for (count,) in self._database.rows("SELECT count(*) FROM journal WHERE kind = ?", (kind,)))

    def _entries(self, which: str, parameters: Sequence[Any] = ()) -> Sequence[JournalEntry]:
        rows = self._database.rows(
            f"SELECT sequence, session_id, execution_id, kind, time, data FROM journal {which}",  # noqa: S608 - ours
            parameters,
        )
        return tuple(_entry(*row) for row in rows)

    def keep(self, data: bytes) -> str:
        """Keep a before-image unredacted, since it must restore the file; return its SHA-256 in hex."""
        return self.keep_all((data,))[0]

    def keep_all(self, contents: Sequence[bytes]) -> Sequence[str]:
        """Keep before-images in one transaction, since each waits for the disk; return their SHA-256, in order."""
        digests = [hashlib.sha256(data).hexdigest() for data in contents]
        known = (
            "SELECT value FROM json_each(?) WHERE value IN (SELECT sha256 FROM images)"
            " AND value NOT IN (SELECT sha256 FROM doubtful)"
        )
        kept = {digest for (digest,) in self._database.rows(known, (json.dumps(digests),))}
        new = {digest: data for digest, data in zip(digests, contents, strict=True) if digest not in kept}
        if new:
            with self._database.transaction() as connection:
                connection.executemany("INSERT OR IGNORE INTO images (sha256, data) VALUES (?, ?)", new.items())
                # `housekeeping` goes by this
                connection.executemany("DELETE FROM doubtful WHERE sha256 = ?", [(digest,) for digest in new])
        return digests

    def kept(self, sha256: str) -> bytes | None:
        """Return the before-image with that SHA-256, or None."""
        rows = self._database.rows("SELECT data FROM images WHERE sha256 = ?", (sha256,))
        return next((bytes(data) for (data,) in rows), None)


def _entry(sequence: int, session_id: str, execution_id: str, kind: str, time: str, text: str) -> JournalEntry:
    """Decode an entry; one that a damaged disk has changed counts as lost, and hides no other."""
    try:
        data = json.loads(text)
    except ValueError:
        kind, data = "entries_lost", {}
    return JournalEntry(sequence, session_id, execution_id, kind, time, data)
