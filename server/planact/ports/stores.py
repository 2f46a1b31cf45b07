"""Seams to the stores: all are synchronous, since each call is one short SQLite transaction."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from planact.model.chat.message import Message, Session
from planact.model.plan_records import Approval, Author, OwnPlan, Revision
from planact.model.question import QuestionSet
from planact.model.rights.rule import Allowed, Rule
from planact.model.runs.execution import Execution
from planact.model.runs.journal import Event, EventKind, JournalEntry


class Sessions(Protocol):
    """Sessions and their messages, in the state database, with a readable mirror in the workspace."""

    def put(self, session: Session, *, is_synced: bool = True) -> None:
        """Store a session, new or changed. One that isn't synced survives a kill, but not always a power cut; only for
        changes that no decision rests on.
        """

    def get(self, session_id: str) -> Session:
        """Return a session. Raises NotFound SESSION_NOT_FOUND."""

    def list(self) -> Sequence[Session]:
        """Return all sessions, the last used first."""

    def delete(self, session_id: str) -> None:
        """Delete a session, its messages and kept outputs. Its executions stay, since they can be undone."""

    def add_message(self, message: Message) -> None:
        """Append to the transcript."""

    def messages(self, session_id: str) -> Sequence[Message]:
        """Return the transcript in order."""


class KeptOutputs(Protocol):
    """Long outputs of the calls of sessions, of which the model got a part. In the state database, without secrets."""

    def keep(self, session_id: str, text: str) -> tuple[str, str]:
        """Keep an output; return its id, which only its session knows, and the text as it is kept. An empty id = there
        is no such session. The oldest are dropped where all together, or those of the session, become too large.
        """

    def read(self, session_id: str, output_id: str) -> str | None:
        """Return an output of the session; None where it has no such output, or not any more."""


class Journal(Protocol):
    """The durable log: each intent before the act, and the result after it."""

    def append(
        self, session_id: str, execution_id: str, kind: str, data: Mapping[str, Any], *, is_synced: bool = True
    ) -> int:
        """Append an entry and return its sequence number; it is on disk when this returns. An entry that isn't synced
        survives a kill, but a power cut may take it until the next synced one. Raises StorageFailure.
        """

    def read(self, execution_id: str, kinds: Collection[str] = (), *, after: int = 0) -> Sequence[JournalEntry]:
        """Return the entries of one execution, in order: all, or those of some kinds, or those after a sequence
        number.
        """

    def of_step(self, execution_id: str, number: int) -> Sequence[JournalEntry]:
        """Return the beginnings, repairs and ends of one step in an execution, in order."""

    def step_starts(self, path: str, number: int) -> Sequence[JournalEntry]:
        """Return the `step_started` entries of a step in the runs of a plan document: those of the run that began last
        are the first, and those of one run are in order.
        """

    def runs(self, path: str = "", *, limit: int = 1_000) -> Sequence[JournalEntry]:
        """Return the `run_started` entries of the last runs, or of those of one plan document; the one that began or
        went on last is the first.
        """

    def run_ids(self, path: str = "", plan_id: str = "") -> Sequence[str]:
        """Return the ids of all runs, or of a plan's runs, by the path of its document or by its id, in the order of
        `runs`.
        """

    def runs_since(self, sequence: int, kinds: Collection[str]) -> Sequence[str]:
        """Return the ids of runs with entries of some kinds and of sequence number `sequence` or higher."""

    def runs_with(self, kind: str) -> Mapping[str, int]:
        """Return the number of entries of one kind by run id, without runs that have none."""

    def paths_changed(self, path: str) -> frozenset[str]:
        """Return the files that the runs of a plan document changed."""

    def open_runs(self) -> Sequence[JournalEntry]:
        """Return the `run_started` entries of runs that have no end since they began or went on, in order: they are at
        work, or were killed.
        """

    def count(self, kind: str) -> int:
        """Return the number of entries of one kind, in all executions and outside of them."""

    def keep(self, data: bytes) -> str:
        """Keep a before-image; return its SHA-256 in hex."""

    def keep_all(self, contents: Sequence[bytes]) -> Sequence[str]:
        """Keep before-images at once; return their SHA-256 in hex, in order."""

    def kept(self, sha256: str) -> bytes | None:
        """Return the before-image with that SHA-256, if there is one."""


class Questions(Protocol):
    """Questions, stored before they are shown."""

    def put(self, question: QuestionSet) -> None:
        """Store a new question."""

    def get(self, question_id: str) -> QuestionSet:
        """Return an open or ended question. Raises NotFound QUESTION_NOT_OPEN."""

    def resolve(self, question: QuestionSet) -> bool:
        """Store the end of an open question; False when it had ended already (another client was first)."""

    def open(self) -> Sequence[QuestionSet]:
        """Return all open questions, the oldest first."""

    def claim(self, session_id: str, purpose: str, subject: str) -> QuestionSet | None:
        """Return a question of the same session and subject that is open, or whose answer no waiter got; for the
        agent's questions also a declined one. An ended question is marked as used: its answer counts once.
        """

    def asked(self, session_id: str, *, purpose: str = "", subject: str = "") -> Sequence[QuestionSet]:
        """Return the questions of a session that aren't used, the oldest first; `purpose` and `subject` leave out
        others.
        """

    def of_runs(self, session_id: str, execution_ids: Collection[str]) -> Sequence[QuestionSet]:
        """Return the ended questions of a session that were asked in one of the runs, the oldest first."""

    def untold(self, session_id: str) -> Sequence[QuestionSet]:
        """Return the ended questions of a session of whose end no model has been told, the oldest first."""

    def mark_told(self, question_ids: Collection[str]) -> None:
        """Mark the questions' ends as told to the model."""

    def use(self, question_id: str) -> None:
        """Mark the answer as used: it no longer counts."""


class Approvals(Protocol):
    """The user's approvals, trust, and own plans: in the state database, never in the workspace."""

    def approve(self, approval: Approval) -> None:
        """Store an approval, in place of an earlier one for the same path."""

    def find(self, path: str) -> Approval | None:
        """Return the approval for the plan at `path` (relative to the workspace folder), if there is one."""

    def paths(self) -> frozenset[str]:
        """Return the paths of all approved plans."""

    def withdraw(self, path: str) -> None:
        """Forget it."""

    def keep_own(self, own: OwnPlan) -> None:
        """Store an own text, in place of an earlier one of the same document."""

    def own(self, path: str) -> OwnPlan | None:
        """Return the last own text of the document at `path` (relative to the workspace folder), if there is one."""

    def forget_own(self, path: str) -> None:
        """Forget it."""

    def trust(self, fingerprint: str) -> None:
        """Store the user's trust in the folder's `.planact/` as it is now."""

    def trusted(self) -> str:
        """Return the fingerprint that the user trusts; empty = none."""

    def trust_programs(self, *, is_trusted: bool) -> None:
        """Store whether the user's own hooks and MCP servers may start in the folder."""

    def programs_trusted(self) -> bool | None:
        """Return the user's decision on their own hooks and MCP servers in the folder; None before there is one."""


class Revisions(Protocol):
    """Earlier texts of plan documents, and the pinned plans. In the state database."""

    def add(self, path: str, plan_id: str, text: str, author: Author, time: str) -> None:
        """Store a text, unless it is the last one of its document already."""

    def list(self, path: str) -> Sequence[Revision]:
        """Return all texts of one document, the oldest first."""

    def pin(self, path: str, *, is_pinned: bool) -> None:
        """Pin or unpin a plan; a pinned one is kept at any age."""

    def pinned(self) -> frozenset[str]:
        """Return the paths of all pinned plans."""


class Rules(Protocol):
    """The user's rules of what is always allowed. In the state database, never in the workspace."""

    def can_keep(self, allows: Allowed) -> bool:
        """Return whether a rule can be stored exactly; False where it holds a secret, without which it would allow
        another call.
        """

    def add(self, rule: Rule) -> None:
        """Store a rule, unless an equal one is stored."""

    def list(self) -> Sequence[Rule]:
        """Return all rules, the oldest first."""

    def revoke(self, rule_id: str) -> Rule:
        """Delete a rule and return it. Raises NotFound RULE_NOT_FOUND."""


class Records(Protocol):
    """Derived files for people and version control below `.planact/`: JSON forms, indexes, executions.
    planact's own records, written in every mode and never through a tool.
    """

    def write(self, relative: str, text: str) -> None:
        """Write atomically below `.planact/`. Raises StorageFailure STORAGE_UNWRITABLE."""

    def read(self, relative: str) -> str | None:
        """Return a file's text; None when the file is missing."""

    def delete(self, relative: str) -> None:
        """Remove a file, if it exists."""

    def list(self, relative: str) -> Sequence[str]:
        """Return the names in a folder below `.planact/`, sorted; none when the folder is missing."""

    def put_execution(self, execution: Execution, *, is_passing: bool = False) -> None:
        """Write `executions/<id>.json` and the index, which holds the newest only. What passes, since more will come,
        may be written later; this process knows it at once.
        """

    def execution(self, execution_id: str) -> Execution | None:
        """Return the record with that id; None where it is missing or can't be read."""

    def execution_ids(self) -> Sequence[str]:
        """Return the ids of all records, readable or not, the greatest first: they rise with time."""

    def executions(self) -> Sequence[Execution]:
        """Return all readable records, the newest first. The time grows with their number."""

    def is_index_current(self) -> bool:
        """Return whether the index matches the records that can be read."""

    def keep_index(self) -> None:
        """Write the index anew. Raises StorageFailure STORAGE_UNWRITABLE."""

    def fingerprint(self) -> str:
        """Return the SHA-256 over the files of `.planact/` that widen rights when trusted (its config); empty when
        there are none.
        """


class UserRoles(Protocol):
    """The user's own role files, which count in every workspace. Those of a workspace are among its `Records`."""

    def list(self) -> Sequence[str]:
        """Return the names of the files, sorted. Raises StorageFailure STORAGE_DAMAGED."""

    def read(self, file_name: str) -> str | None:
        """Return the text of a file; None when it is missing. Raises StorageFailure STORAGE_DAMAGED."""

    def shown(self, file_name: str) -> str:
        """Return the file's place, for people."""


class Events(Protocol):
    """Events for metrics, redacted and stored."""

    def record(self, event: Event) -> None:
        """Store an event; never raises."""

    def list(self, session_id: str = "", kinds: Collection[EventKind] = ()) -> Sequence[Event]:
        """Return the events of one session and of some kinds, in order; an empty `session_id` or `kinds` stands for
        all.
        """

    def requests(self, execution_id: str) -> Sequence[Event]:
        """Return the `model_called` events of a run, in order."""

    def planning(self, plan_id: str) -> Event | None:
        """Return the newest `plan_created` event of a plan."""
        ...

    def count(self, kind: EventKind, *names: str) -> Mapping[tuple[str, ...], int]:
        """Return the number of events of one kind by the values that their `data` has under `names`, the most frequent
        first; a missing value counts as an empty text.
        """

    def after(
        self, mark: int, limit: int, session_id: str = "", kinds: Collection[EventKind] = ()
    ) -> tuple[Sequence[Event], int]:
        """Return the next `limit` events stored after `mark`, in order, and the next mark; the first mark is 0. An
        empty `session_id` or `kinds` stands for all. The mark stays as it is where there are no more events.
        """


class Lock(Protocol):
    """At most one run changes a workspace folder at a time, over all processes."""

    def acquire(self, holder: str) -> str:
        """Take the lock and return an empty string, or return its holder. The lock ends with the process, also on a
        kill.
        """

    def holder(self) -> str:
        """Return the present holder, in any process; empty = the lock is free."""

    def is_own(self) -> bool:
        """Return whether this process holds the lock."""

    def release(self) -> None:
        """Release the lock."""
