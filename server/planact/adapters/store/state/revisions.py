"""Earlier texts of plan documents, and the pinned plans, in the state database."""

from collections.abc import Sequence

from planact.adapters.store.state.database import Database
from planact.model.plan_records import Author, Revision


class SqliteRevisions:
    """`ports.Revisions`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, path: str, plan_id: str, text: str, author: Author, time: str) -> None:
        """Store a text, unless it is the last one of its document already."""
        text = self._database.redact(text).encode("utf-8", "replace").decode()
        with self._database.transaction() as connection:
            last = connection.execute(
                "SELECT number, text FROM revisions WHERE path = ? ORDER BY number DESC LIMIT 1", (path,)
            ).fetchone()
            if last is None or last[1] != text:
                number = 1 if last is None else last[0] + 1
                connection.execute(
                    "INSERT INTO revisions (number, path, plan_id, text, author, time) VALUES (?, ?, ?, ?, ?, ?)",
                    (number, path, plan_id, text, author, time),
                )

    def list(self, path: str) -> Sequence[Revision]:
        """Return all texts of one document, the oldest first."""
        sql = "SELECT number, path, plan_id, text, author, time FROM revisions WHERE path = ? ORDER BY number"
        rows = self._database.rows(sql, (path,))
        return tuple(Revision(*row) for row in rows)

    def pin(self, path: str, *, is_pinned: bool) -> None:
        """Pin the plan, so that its age doesn't archive it, or unpin it."""
        sql = "INSERT OR IGNORE INTO pins (path) VALUES (?)" if is_pinned else "DELETE FROM pins WHERE path = ?"
        self._database.write(sql, (path,))

    def pinned(self) -> frozenset[str]:
        """The paths of all pinned plans."""
        return frozenset(path for (path,) in self._database.rows("SELECT path FROM pins"))
