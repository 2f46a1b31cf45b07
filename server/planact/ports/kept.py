"""Seams to what is kept: all stores are synchronous, since each call is one short SQLite transaction."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from planact.model.approval import Approval
from planact.model.event import Event, EventKind
from planact.model.execution import Execution
from planact.model.journal import JournalEntry
from planact.model.message import Message
from planact.model.question import QuestionSet
from planact.model.revision import Author, Revision
from planact.model.rule import Allowed, Rule
from planact.model.session import Session


class Sessions(Protocol):
    """Sessions and their messages, in the state database, with a readable mirror in the workspace."""

    def put(self, session: Session, *, is_synced: bool = True) -> None:
        """Keep a session, new or changed. What isn't synced a kill leaves, and a power cut may take with the moment
        before it; for what nothing is decided by.
        """
        ...

    def get(self, session_id: str) -> Session:
        """Raises NotFound SESSION_NOT_FOUND."""
        ...

    def list(self) -> Sequence[Session]:
        """All, the last used first."""
        ...

    def delete(self, session_id: str) -> None:
        """Forget a session and what was said in it. Its executions stay, since what they did can be undone."""
        ...

    def add_message(self, message: Message) -> None:
        """Append to the transcript."""
        ...

    def messages(self, session_id: str) -> Sequence[Message]:
        """The transcript in order."""
        ...


class Journal(Protocol):
    """The durable log: what will be done before it is done, what came of it after."""

    def append(
        self, session_id: str, execution_id: str, kind: str, data: Mapping[str, Any], *, is_synced: bool = True
    ) -> int:
        """On disk when this returns; without `is_synced` a power cut may take it, up to the next that is, and a kill
        doesn't. The entry's sequence number. Raises StorageFailure.
        """
        ...

    def read(self, execution_id: str, kinds: Collection[str] = ()) -> Sequence[JournalEntry]:
        """The entries of one execution, in order: all, or those of some kinds."""
        ...

    def runs(self, path: str = "", *, limit: int = 1_000) -> Sequence[JournalEntry]:
        """The `run_started` entries of the last runs, or of the last runs of one plan document; the newest first."""
        ...

    def run_ids(self, path: str = "", plan_id: str = "") -> Sequence[str]:
        """The ids of all runs, or of those of a plan, by the path of its document or by its id; the newest first."""
        ...

    def runs_since(self, sequence: int, kinds: Collection[str]) -> Sequence[str]:
        """The ids of the runs that have entries of some kinds with that number or a higher one."""
        ...

    def runs_with(self, kind: str) -> Mapping[str, int]:
        """How many entries of that kind each run has, by its id, without those that have none."""
        ...

    def paths_changed(self, path: str) -> frozenset[str]:
        """The files that the runs of a plan document changed."""
        ...

    def open_runs(self) -> Sequence[JournalEntry]:
        """The `run_started` entries of runs whose end isn't written down, in order: they go on, or were killed."""
        ...

    def count(self, kind: str) -> int:
        """How many entries of that kind there are, in all executions and outside of them."""
        ...

    def keep(self, data: bytes) -> str:
        """Keep a before-image; returns its SHA-256 in hex."""
        ...

    def kept(self, sha256: str) -> bytes | None:
        """The before-image with that SHA-256, if there is one."""
        ...


class Questions(Protocol):
    """Questions, kept before they are shown."""

    def put(self, question: QuestionSet) -> None:
        """Keep a new question."""
        ...

    def get(self, question_id: str) -> QuestionSet:
        """Raises NotFound QUESTION_NOT_OPEN."""
        ...

    def resolve(self, question: QuestionSet) -> bool:
        """Store the end of an open question; False when it had ended already (another client was first)."""
        ...

    def open(self) -> Sequence[QuestionSet]:
        """All that wait for an answer, the oldest first."""
        ...

    def adopt(self, session_id: str, purpose: str, subject: str) -> QuestionSet | None:
        """A question of the same session about the same thing that is open, or was answered while nobody waited for it;
        the agent's also if it was declined so. What has ended is marked as used: it counts once.
        """
        ...

    def adopt_held(self, session_id: str, purpose: str, subject: str, but: Collection[str]) -> QuestionSet | None:
        """As `adopt`, for one that ended and isn't marked as used, nor one of `but`; it isn't marked by this either."""
        ...

    def use(self, question_id: str) -> None:
        """Mark the answer as used: it counts no more."""
        ...


class Approvals(Protocol):
    """What the user approved and trusts. Lives in the state database, never in the workspace."""

    def approve(self, approval: Approval) -> None:
        """Keep it, in place of an earlier one for the same path."""
        ...

    def find(self, path: str) -> Approval | None:
        """The approval for the plan at `path` (relative to the workspace folder), if there is one."""
        ...

    def paths(self) -> frozenset[str]:
        """The paths of all approved plans."""
        ...

    def withdraw(self, path: str) -> None:
        """Forget it."""
        ...

    def trust(self, fingerprint: str) -> None:
        """The user trusts the folder's `.planact/` as it is now."""
        ...

    def trusted(self) -> str:
        """The fingerprint that the user trusts, or empty."""
        ...


class Revisions(Protocol):
    """What plan documents said before, and which plans are pinned. Lives in the state database."""

    def add(self, path: str, plan_id: str, text: str, author: Author, time: str) -> None:
        """Keep a text, unless it is the last one of its document already."""
        ...

    def list(self, path: str) -> Sequence[Revision]:
        """All of one document, the oldest first."""
        ...

    def pin(self, path: str, *, is_pinned: bool) -> None:
        """Keep the plan whatever its age, or no longer."""
        ...

    def pinned(self) -> frozenset[str]:
        """The paths of all pinned plans."""
        ...


class Rules(Protocol):
    """What the user always allows. Lives in the state database, never in the workspace."""

    def can_keep(self, allows: Allowed) -> bool:
        """False for what holds a secret: it would be kept without it, and allow something else."""
        ...

    def add(self, rule: Rule) -> None:
        """Keep it; what is allowed already stays as it is."""
        ...

    def list(self) -> Sequence[Rule]:
        """All, the oldest first."""
        ...

    def revoke(self, rule_id: str) -> Rule:
        """Forget it; returns what it was. Raises NotFound RULE_NOT_FOUND."""
        ...


class Records(Protocol):
    """Derived files for people and version control below `.planact/`: JSON forms, indexes, executions.
    planact's own records, written in every mode and never through a tool.
    """

    def write(self, relative: str, text: str) -> None:
        """Write atomically below `.planact/`. Raises StorageFailure STORAGE_UNWRITABLE."""
        ...

    def read(self, relative: str) -> str | None:
        """None when it isn't there."""
        ...

    def delete(self, relative: str) -> None:
        """Remove it if it's there."""
        ...

    def list(self, relative: str) -> Sequence[str]:
        """Names in a folder below `.planact/`, sorted; none when it isn't there."""
        ...

    def put_execution(self, execution: Execution) -> None:
        """Keep `executions/<id>.json` and its index, which has the newest only."""
        ...

    def execution(self, execution_id: str) -> Execution | None:
        """The record with that id, None where it isn't there or can't be read."""
        ...

    def execution_ids(self) -> Sequence[str]:
        """The ids of all records, readable or not, the greatest first: they rise with time."""
        ...

    def executions(self) -> Sequence[Execution]:
        """All that can be read, the newest first. Takes the longer the more there are."""
        ...

    def is_index_current(self) -> bool:
        """Whether the index has just the records that can be read, as they are."""
        ...

    def keep_index(self) -> None:
        """Write the index anew. Raises StorageFailure STORAGE_UNWRITABLE."""
        ...

    def fingerprint(self) -> str:
        """SHA-256 over all of `.planact/` that widens rights when trusted (its config), empty when there is none."""
        ...


class UserRoles(Protocol):
    """The user's own role files, which count in every workspace. Those of a workspace are among its `Records`."""

    def list(self) -> Sequence[str]:
        """Names of the files, sorted. Raises StorageFailure STORAGE_DAMAGED."""
        ...

    def read(self, file_name: str) -> str | None:
        """The text of a file, None when it isn't there. Raises StorageFailure STORAGE_DAMAGED."""
        ...

    def shown(self, file_name: str) -> str:
        """Where the file is, for people."""
        ...


class Events(Protocol):
    """The observable facts, redacted and kept."""

    def record(self, event: Event) -> None:
        """Keep it; never raises."""
        ...

    def list(self, session_id: str = "", kinds: Collection[EventKind] = ()) -> Sequence[Event]:
        """Those of one session and of some kinds, in order; an empty `session_id` or `kinds` stands for all."""
        ...

    def requests(self, execution_id: str) -> Sequence[Event]:
        """Those of kind `model_called` that were made for a run, in order."""
        ...

    def count(self, kind: EventKind, *names: str) -> Mapping[tuple[str, ...], int]:
        """How many of that kind there are by what their `data` has under `names`, at least one; the most come first,
        and what is missing is an empty text.
        """
        ...

    def after(
        self, mark: int, limit: int, session_id: str = "", kinds: Collection[EventKind] = ()
    ) -> tuple[Sequence[Event], int]:
        """The next `limit` that were kept after `mark`, which begins as 0, in order, and the mark to go on from.
        An empty `session_id` or `kinds` stands for all. The mark stays as it is where there are no more.
        """
        ...


class Lock(Protocol):
    """At most one run changes a workspace folder at a time, over all processes."""

    def acquire(self, holder: str) -> str:
        """Take it and return an empty string, or return who has it. It ends with the process, however that ends."""
        ...

    def holder(self) -> str:
        """Who has it now, in whatever process; empty = nobody."""
        ...

    def is_own(self) -> bool:
        """Whether it is this process that has it."""
        ...

    def release(self) -> None:
        """Give it back."""
        ...
