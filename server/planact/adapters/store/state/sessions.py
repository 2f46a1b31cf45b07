"""Sessions and messages in the state database, with a readable mirror in the workspace.

Stored messages lack secrets. The process in which a message was said still has the whole text: a model that reads a
file with `[redacted]` in it could not edit the file, or would write just that.

A thread of its own may write the mirror, since the mirror lies on the workspace's disk, which may be slow.
"""

import contextlib
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from planact.adapters.store.state.database import Database, decode, decode_all, json_text
from planact.adapters.store.state.transcript import Transcripts
from planact.base.errors import NotFound, StorageFailure
from planact.model.chat.message import Message
from planact.model.chat.session import Session

_MOST_READ = 8
"""So many transcripts are kept as they were read, those that were read last."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A transcript up to the row `last`; messages are never changed."""

    last: int = 0
    messages: tuple[Message, ...] = ()


def _at_once(job: Callable[[], None]) -> None:
    job()


class SqliteSessions:
    """`ports.Sessions`. `mirror` runs the calls that it gets, one after the other."""

    def __init__(
        self,
        database: Database,
        transcripts: Transcripts,
        mirror: Callable[[Callable[[], None]], Future[None] | None] = _at_once,
    ) -> None:
        self._database = database
        self._transcripts = transcripts
        self._mirror = mirror
        self._unredacted: dict[str, Message] = {}
        self._read: dict[str, _Read] = {}

    def put(self, session: Session, *, is_synced: bool = True) -> None:
        self._database.write(
            "INSERT INTO sessions (id, used, data) VALUES (?, (SELECT coalesce(max(used), 0) + 1 FROM sessions), ?)"
            " ON CONFLICT (id) DO UPDATE SET used = excluded.used, data = excluded.data",
            (session.id, self._database.json(session.model_dump(mode="json"))),
            is_synced=is_synced,
        )
        self._mirror(lambda: self._show(session))

    def get(self, session_id: str) -> Session:
        """Return the session. Raises NotFound SESSION_NOT_FOUND."""
        for (text,) in self._database.rows("SELECT data FROM sessions WHERE id = ?", (session_id,)):
            return decode(Session, text, f"session {session_id}")
        raise NotFound("SESSION_NOT_FOUND", f"there is no session {session_id!r}", "List the sessions to find its id")

    def list(self) -> Sequence[Session]:
        """Return all readable sessions, the last used first."""
        return decode_all(Session, self._database.rows("SELECT data FROM sessions ORDER BY used DESC"))

    def delete(self, session_id: str) -> None:
        """Delete a session, its messages, and its mirror."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM messages WHERE session_id = ?", (session_id,))
            connection.execute("DELETE FROM sessions WHERE id = ?", (session_id,))
        deleting = self._mirror(lambda: self._transcripts.delete(session_id))
        if deleting is not None:
            deleting.result()

    def add_message(self, message: Message) -> None:
        """Append to the transcript."""
        data = message.model_dump(mode="json")
        said, kept = json_text(data), self._database.json(data)
        with self._database.transaction(is_synced=message.role in ("user", "system")) as connection:
            added = connection.execute(
                "INSERT INTO messages (session_id, data) VALUES (?, ?)", (message.session_id, kept)
            )
            connection.execute(
                "UPDATE sessions SET used = (SELECT max(used) + 1 FROM sessions) WHERE id = ?", (message.session_id,)
            )
        if said != kept:
            self._unredacted[message.id] = decode(Message, said, f"message {message.id}")
        number = added.lastrowid or 0
        self._mirror(lambda: self._mirrored(number, kept))

    def messages(self, session_id: str) -> Sequence[Message]:
        """The transcript in order."""
        kept = self._kept(session_id)
        return tuple(self._unredacted.get(message.id, message) for message in kept) if self._unredacted else kept

    def _kept(self, session_id: str) -> Sequence[Message]:
        known = self._read.pop(session_id, _Read())
        rows = self._rows_after(session_id, known.last)
        count = len(known.messages) + len(rows)
        if self._database.rows("SELECT count(*) FROM messages WHERE session_id = ?", (session_id,)) != [(count,)]:
            known, rows = _Read(), self._rows_after(session_id, 0)  # it was deleted, or is another database
        what = f"a message of session {session_id}"
        messages = (*known.messages, *(decode(Message, text, what) for _, text in rows))
        self._read[session_id] = _Read(rows[-1][0] if rows else known.last, messages)
        if len(self._read) > _MOST_READ:
            del self._read[next(iter(self._read))]
        return messages

    def _mirrored(self, number: int, kept: str) -> None:
        message = decode(Message, kept, f"message {number}")  # what the mirror cuts off must not cut a secret in two
        if not self._transcripts.append(number, message):
            with contextlib.suppress(NotFound, StorageFailure):
                self._show(self.get(message.session_id))

    def _show(self, session: Session) -> None:
        with contextlib.suppress(StorageFailure):  # whoever needs the database hears of it
            self._transcripts.update(session, self._numbered)

    def _numbered(self, session_id: str) -> Sequence[tuple[int, Message]]:
        what = f"a message of session {session_id}"
        return [(number, decode(Message, text, what)) for number, text in self._rows_after(session_id, 0)]

    def _rows_after(self, session_id: str, last: int) -> Sequence[tuple[int, str]]:
        return self._database.rows(
            "SELECT sequence, data FROM messages WHERE session_id = ? AND sequence > ? ORDER BY sequence",
            (session_id, last),
        )
