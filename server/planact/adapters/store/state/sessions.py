"""Sessions and messages in the state database, with a readable mirror in the workspace, `sessions/<id>.chat`.

Stored messages lack secrets. The process in which a message was said still has the whole text: a model that reads a
file with `[redacted]` in it could not edit the file, or would write just that.

The mirror is never read back. A thread of its own may write it, since it lies on the workspace's disk, which may be
slow; a failure to write is reported once, and work goes on: the database has the truth.
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

import yaml

from planact.adapters.store.state.database import Database, decode, decode_all, json_text
from planact.adapters.store.state.records import WorkspaceRecords
from planact.base.errors import NotFound, StorageFailure
from planact.model.chat.message import Message, Session

_SHOWN_RESULT = 2_000


class Transcripts:
    """The mirrors: a message is appended, a change of the front matter writes the file anew."""

    def __init__(self, folder: WorkspaceRecords, report: Callable[[str], None]) -> None:
        self._folder = folder
        self._report = report
        self._written: dict[str, tuple[Mapping[str, str], int]] = {}
        self._is_reported = False

    def update(self, session: Session, messages: Callable[[str], Sequence[tuple[int, Message]]]) -> None:
        """Mirror the session; `messages`, numbered, is only called when the file has to be written anew."""
        head = _fields(session)
        if session.id in self._written and self._written[session.id][0] == head:
            return
        found = messages(session.id)
        text = _front_matter(head) + "".join(_entry(message) for _, message in found)
        if self._attempt(lambda: self._folder.write(_name(session.id), text)):
            self._written[session.id] = head, found[-1][0] if found else 0

    def append(self, number: int, message: Message) -> bool:
        """Append the message; return False when the file is missing or another process's, and needs an `update`.
        Messages that an `update` wrote before aren't written again.
        """
        if message.session_id not in self._written:
            return False
        head, last = self._written[message.session_id]
        if number <= last:
            return True
        self._written[message.session_id] = head, number
        is_there = self._attempt(lambda: self._folder.append(_name(message.session_id), _entry(message)))
        if not is_there:
            del self._written[message.session_id]
        return is_there

    def delete(self, session_id: str) -> None:
        """Remove the mirror of a deleted session."""
        self._written.pop(session_id, None)
        self._attempt(lambda: self._folder.delete(_name(session_id)))

    def _attempt(self, action: Callable[[], bool | None]) -> bool:
        try:
            return action() is not False
        except StorageFailure as failure:
            if not self._is_reported:
                self._report(f"transcripts are not written: {failure}")
            self._is_reported = True
            return False


def _name(session_id: str) -> str:
    return f"sessions/{session_id}.chat"


def _fields(session: Session) -> Mapping[str, str]:
    return {
        "id": session.id,
        "title": session.title,
        "mode": session.mode.value,
        "role": session.role,
        "plan_file": session.plan_file,
        "model": session.model,
        "created": session.created_at,
    }


def _front_matter(fields: Mapping[str, str]) -> str:
    return f"---\n{yaml.safe_dump(fields, sort_keys=False, allow_unicode=True)}---\n"


def _entry(message: Message) -> str:
    role = message.role if message.is_shown else "for the model"
    title = " · ".join(part for part in (role, message.message_type, message.created_at) if part)
    content = message.content
    if message.message_type == "tool_result" and len(content) > _SHOWN_RESULT:
        content = f"{content[:_SHOWN_RESULT]}\n… {len(content) - _SHOWN_RESULT} more characters"
    calls = [f"{call.name}({call.arguments})" for call in message.tool_calls]
    images = [f"[{image.media_type}]" for image in message.images]
    return "\n".join(["", f"## {title}", "", *([content] if content else []), *images, *calls, ""])


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
        self._heads: dict[str, Mapping[str, str]] = {}  # front matter as the mirror was last told of it
        self._read: dict[str, _Read] = {}

    def put(self, session: Session, *, is_synced: bool = True) -> None:
        self._database.write(
            "INSERT INTO sessions (id, used, data) VALUES (?, (SELECT coalesce(max(used), 0) + 1 FROM sessions), ?)"
            " ON CONFLICT (id) DO UPDATE SET used = excluded.used, data = excluded.data",
            (session.id, self._database.json(session.model_dump(mode="json"))),
            is_synced=is_synced,
        )
        if (head := _fields(session)) != self._heads.get(session.id):  # mostly the usage alone changed
            self._heads[session.id] = head
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
        """Delete a session, its messages, its kept outputs, and its mirror."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM messages WHERE session_id = ?", (session_id,))
            connection.execute("DELETE FROM outputs WHERE session_id = ?", (session_id,))
            connection.execute("DELETE FROM sessions WHERE id = ?", (session_id,))
        self._heads.pop(session_id, None)
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
        message = decode(Message, kept, f"message {number}")  # redacted first: the mirror's cut must not split a secret
        if not self._transcripts.append(number, message):
            with contextlib.suppress(NotFound, StorageFailure):
                self._show(self.get(message.session_id))

    def _show(self, session: Session) -> None:
        with contextlib.suppress(StorageFailure):  # callers that need the database get the failure
            self._transcripts.update(session, self._numbered)

    def _numbered(self, session_id: str) -> Sequence[tuple[int, Message]]:
        what = f"a message of session {session_id}"
        return [(number, decode(Message, text, what)) for number, text in self._rows_after(session_id, 0)]

    def _rows_after(self, session_id: str, last: int) -> Sequence[tuple[int, str]]:
        return self._database.rows(
            "SELECT sequence, data FROM messages WHERE session_id = ? AND sequence > ? ORDER BY sequence",
            (session_id, last),
        )
