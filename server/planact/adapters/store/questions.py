"""Questions in the state database. Each ends once, whichever of several processes gets there first.

What is kept there lacks secrets; the process that asked or was answered still knows them, for the work that waits.
"""

import hashlib
from collections.abc import Collection, Sequence
from typing import Any

from planact.adapters.store.database import Database, decode, decode_all, json_text
from planact.base.errors import NotFound
from planact.model.question import QuestionSet


class SqliteQuestions:
    """`ports.Questions`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._unredacted: dict[str, QuestionSet] = {}

    def put(self, question: QuestionSet) -> None:
        """Keep a new question. One that is known already stays as it is: an ended one can't be opened again."""
        made = self._database.write(
            "INSERT INTO questions (id, session_id, purpose, subject, status, data) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO NOTHING",
            (
                question.id,
                question.session_id,
                question.purpose,
                _fingerprint(question.subject),
                question.status,
                self._encode(question),
            ),
        )
        if made:
            self._know(question)

    def get(self, question_id: str) -> QuestionSet:
        """Raises NotFound QUESTION_NOT_OPEN."""
        for (text,) in self._database.rows("SELECT data FROM questions WHERE id = ?", (question_id,)):
            kept = decode(QuestionSet, text, f"question {question_id}")
            known = self._unredacted.get(question_id, kept)
            return known if known.status == kept.status else kept  # else another process has ended it
        raise NotFound("QUESTION_NOT_OPEN", f"there is no question {question_id!r}", "List the open questions")

    def resolve(self, question: QuestionSet) -> bool:
        """Store the end of an open question; False when it had ended already (another client was first)."""
        changed = self._database.write(
            "UPDATE questions SET status = ?, data = ? WHERE id = ? AND status = 'open'",
            (question.status, self._encode(question), question.id),
        )
        if changed:
            self._know(question)
        return changed == 1

    def open(self) -> Sequence[QuestionSet]:
        """All that wait for an answer, the oldest first."""
        rows = self._database.rows("SELECT data FROM questions WHERE status = 'open' ORDER BY sequence")
        return decode_all(QuestionSet, rows)

    def adopt(self, session_id: str, purpose: str, subject: str) -> QuestionSet | None:
        """A question of the same session about the same thing that is open, or was answered while nobody waited for it;
        the agent's also if it was declined so. What has ended is marked as used: it counts once.
        """
        with self._database.transaction() as connection:
            row = connection.execute(
                "SELECT id, data FROM questions WHERE session_id = ? AND purpose = ? AND subject = ? AND is_used = 0"
                " AND (status IN ('open', 'answered') OR (status = 'declined' AND purpose = 'agent'))"
                " ORDER BY status, sequence",
                (session_id, purpose, _fingerprint(subject)),
            ).fetchone()
            if row is None:
                return None
            connection.execute("UPDATE questions SET is_used = 1 WHERE id = ? AND status <> 'open'", (row[0],))
        return decode(QuestionSet, row[1], f"question {row[0]}").model_copy(update={"subject": subject})

    def adopt_held(self, session_id: str, purpose: str, subject: str, but: Collection[str]) -> QuestionSet | None:
        """See `ports.Questions`."""
        rows = self._database.rows(
            "SELECT id, data FROM questions WHERE session_id = ? AND purpose = ? AND subject = ? AND is_used = 0"
            " AND status IN ('open', 'answered', 'declined') ORDER BY status, sequence",
            (session_id, purpose, _fingerprint(subject)),
        )
        for question_id, text in rows:
            if question_id not in but:
                return decode(QuestionSet, text, f"question {question_id}").model_copy(update={"subject": subject})
        return None

    def use(self, question_id: str) -> None:
        """Mark the answer as used: it counts no more."""
        self._database.write("UPDATE questions SET is_used = 1 WHERE id = ?", (question_id,))

    def _encode(self, question: QuestionSet) -> str:
        return self._database.json(_data(question))

    def _know(self, question: QuestionSet) -> None:
        said = json_text(_data(question))
        if said != self._encode(question):
            self._unredacted[question.id] = decode(QuestionSet, said, f"question {question.id}")


def _data(question: QuestionSet) -> dict[str, Any]:
    return question.model_dump(mode="json", by_alias=True)


def _fingerprint(subject: str) -> str:
    # Redacted, two subjects could look the same, and an answer would count for another.
    return hashlib.sha256(subject.encode("utf-8", "surrogatepass")).hexdigest()
