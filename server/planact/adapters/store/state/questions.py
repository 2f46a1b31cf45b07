"""Questions in the state database. Each ends once, by the first of several processes.

The stored text lacks secrets; the process that asked or was answered still has them, for the work that waits.
"""

import hashlib
from collections.abc import Collection, Sequence
from typing import Any

from planact.adapters.store.state.database import Database, decode, decode_all, json_text
from planact.base.errors import NotFound
from planact.model.question import QuestionSet


class SqliteQuestions:
    """`ports.Questions`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._unredacted: dict[str, QuestionSet] = {}

    def put(self, question: QuestionSet) -> None:
        """Store a new question. A known one stays as it is: an ended question can't be opened again."""
        made = self._database.write(
            "INSERT INTO questions (id, session_id, purpose, subject, status, data, is_told)"
            " VALUES (?, ?, ?, ?, ?, ?, 0)"
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
        """Return the question. Raises NotFound QUESTION_NOT_OPEN."""
        for (text,) in self._database.rows("SELECT data FROM questions WHERE id = ?", (question_id,)):
            kept = decode(QuestionSet, text, f"question {question_id}")
            known = self._unredacted.get(question_id, kept)
            return known if known.status == kept.status else kept  # else another process has ended it
        raise NotFound("QUESTION_NOT_OPEN", f"there is no question {question_id!r}", "List the open questions")

    def resolve(self, question: QuestionSet) -> bool:
        """Store the end of an open question; return False when it had ended already (another client was first)."""
        changed = self._database.write(
            "UPDATE questions SET status = ?, data = ? WHERE id = ? AND status = 'open'",
            (question.status, self._encode(question), question.id),
        )
        if changed:
            self._know(question)
        return changed == 1

    def open(self) -> Sequence[QuestionSet]:
        """Return all open questions, the oldest first."""
        rows = self._database.rows("SELECT data FROM questions WHERE status = 'open' ORDER BY sequence")
        return decode_all(QuestionSet, rows)

    def claim(self, session_id: str, purpose: str, subject: str) -> QuestionSet | None:
        """Return a question of the session about the same subject that is open, or that was answered while no caller
        waited; the agent's also if it was declined then. An ended one is marked as used: it counts once.
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

    def asked(self, session_id: str, *, purpose: str = "", subject: str = "") -> Sequence[QuestionSet]:
        """Return the questions of a session that aren't used, the oldest first; `purpose` and `subject` leave out
        others.
        """
        rows = self._database.rows(
            "SELECT data FROM questions WHERE session_id = ? AND is_used = 0 AND (? = '' OR purpose = ?)"
            " AND (? = '' OR subject = ?) ORDER BY sequence",
            (session_id, purpose, purpose, subject, _fingerprint(subject)),
        )
        return self._known(rows)

    def of_runs(self, session_id: str, execution_ids: Collection[str]) -> Sequence[QuestionSet]:
        """Return the ended questions of a session that were asked in one of the runs, the oldest first."""
        rows = self._database.rows(
            "SELECT data FROM questions WHERE session_id = ? AND status <> 'open' ORDER BY sequence", (session_id,)
        )
        return [each for each in self._known(rows) if each.execution_id in execution_ids]

    def untold(self, session_id: str) -> Sequence[QuestionSet]:
        """Return the ended questions of a session of whose end no model has been told, the oldest first."""
        rows = self._database.rows(
            "SELECT data FROM questions INDEXED BY questions_untold WHERE session_id = ? AND is_told = 0"
            " AND status <> 'open' ORDER BY sequence",
            (session_id,),
        )
        return self._known(rows)

    def mark_told(self, question_ids: Collection[str]) -> None:
        """Mark the questions' ends as told to the model."""
        if question_ids:
            among = json_text(list(question_ids))
            self._database.write(
                "UPDATE questions SET is_told = 1 WHERE id IN (SELECT value FROM json_each(?))", (among,)
            )

    def use(self, question_id: str) -> None:
        """Mark the answer as used: it counts no more."""
        self._database.write("UPDATE questions SET is_used = 1 WHERE id = ?", (question_id,))

    def _encode(self, question: QuestionSet) -> str:
        return self._database.json(_data(question))

    def _known(self, rows: Sequence[tuple[str]]) -> Sequence[QuestionSet]:
        """Return the questions of the rows, as this process knows them: with their secrets."""
        kept = decode_all(QuestionSet, rows)
        known = (self._unredacted.get(each.id, each) for each in kept)
        return tuple(each if each.status == other.status else other for each, other in zip(known, kept, strict=True))

    def _know(self, question: QuestionSet) -> None:
        said = json_text(_data(question))
        if said != self._encode(question):
            self._unredacted[question.id] = decode(QuestionSet, said, f"question {question.id}")


def _data(question: QuestionSet) -> dict[str, Any]:
    return question.model_dump(mode="json", by_alias=True)


def _fingerprint(subject: str) -> str:
    # Redacted, two subjects could look the same, and an answer would count for another.
    return hashlib.sha256(subject.encode("utf-8", "surrogatepass")).hexdigest()
