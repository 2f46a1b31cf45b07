"""Kept outputs in the state database, compressed."""

import re
import zlib

from planact.adapters.store.state.database import Database

MOST_OF_A_SESSION = 10_000_000
MOST_OF_ALL = 100_000_000
"""Bytes, compressed."""

_DROP_OLDEST = (
    "DELETE FROM outputs WHERE sequence IN (SELECT sequence FROM (SELECT sequence, sum(length(data)) OVER"
    " (ORDER BY sequence DESC) AS total FROM outputs WHERE session_id = coalesce(?, session_id)) WHERE total > ?)"
)
_ID = re.compile(r"o([1-9][0-9]{0,8})")


class SqliteOutputs:
    """`ports.KeptOutputs`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, session_id: str, text: str) -> tuple[str, str]:
        kept: str = self._database.redact(text)
        data = zlib.compress(kept.encode("utf-8", "replace"))
        # An output whose session is deleted meanwhile would never go.
        added = "INSERT INTO outputs (session_id, data) SELECT id, ? FROM sessions WHERE id = ? RETURNING sequence"
        with self._database.transaction(is_synced=False) as connection:
            rows = connection.execute(added, (data, session_id)).fetchall()
            connection.execute(_DROP_OLDEST, (session_id, MOST_OF_A_SESSION))
            connection.execute(_DROP_OLDEST, (None, MOST_OF_ALL))
        return "".join(f"o{sequence}" for (sequence,) in rows), kept

    def read(self, session_id: str, output_id: str) -> str | None:
        named = _ID.fullmatch(output_id)
        found = self._database.rows(
            "SELECT data FROM outputs WHERE session_id = ? AND sequence = ?",
            (session_id, int(named[1]) if named else 0),
        )
        return next((zlib.decompress(data).decode() for (data,) in found), None)
