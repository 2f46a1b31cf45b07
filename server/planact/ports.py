"""The seams: every Protocol through which planact touches the outside, on one page.

Stores are synchronous, since each call is one short SQLite transaction; what waits for people, models, editors or
processes is async.
"""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from planact.base.clock import Clock
from planact.base.filetext import FileText
from planact.base.ids import IdSource
from planact.base.paths import Place
from planact.model.approval import Approval
from planact.model.change import Change
from planact.model.command import CommandResult
from planact.model.event import Event, EventKind
from planact.model.execution import Execution, FileChange
from planact.model.file import FileInfo, SearchResult
from planact.model.journal import JournalEntry
from planact.model.message import Message
from planact.model.notice import Notice
from planact.model.question import QuestionSet, Shown
from planact.model.reply import ModelRequest, Reply, TextDelta
from planact.model.session import Session

# --- the model


class Model(Protocol):
    """A language model that can call tools."""

    def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Reply]:
        """Stream the answer to `request`; closing the iterator ends the connection.

        Raises:
            ModelFailure: with the code of the cause; `is_transient` where a retry may help.
        """
        ...


class Models(Protocol):
    """Where models come from."""

    def open(self, name: str) -> Model:
        """The model called `name`, without connecting to it.

        Raises:
            ModelFailure: MODEL_NOT_CHOSEN. InvalidInput: CONFIG_INVALID for a script that can't be used.
        """
        ...


# --- the workspace


class Files(Protocol):
    """The disk below one workspace folder. Judges nothing: who may do what was decided before."""

    root: Path

    def resolve(self, path: str) -> Place:
        """Where `path` really leads; never raises, also for nonsense such as NUL bytes (`relative` is then None)."""
        ...

    def is_hidden(self, place: Place) -> bool:
        """Whether the user's ignore patterns (`ignore` setting, `.planactignore`) hide it from the agent altogether."""
        ...

    def info(self, place: Place) -> FileInfo:
        """What is there. Raises InvalidInput FILE_NOT_FOUND or FILE_UNREADABLE."""
        ...

    def read(self, place: Place, limit: int) -> bytes:
        """The bytes of a regular file. Raises InvalidInput FILE_NOT_FOUND, FILE_UNREADABLE, FILE_TOO_LARGE."""
        ...

    def list(self, place: Place) -> Sequence[str]:
        """Names in a directory, sorted; directories end with a slash. Hidden ones are left out."""
        ...

    async def search(
        self,
        pattern: str,
        place: Place,
        glob: str,
        limit: int,
        *,
        is_literal: bool,
        skip: Sequence[str],
        unsaved: Mapping[str, str],
    ) -> SearchResult:
        """Lines of text files at or below `place` matching a regular expression; honours ignore files, leaves out
        what the gitignore patterns in `skip` match, and takes the texts in `unsaved`, by relative path, instead.
        Raises InvalidInput INVALID_ARGUMENTS for a bad pattern.
        """
        ...

    def find(self, suffix: str, limit: int) -> Sequence[str]:
        """Relative paths of files ending in `suffix` anywhere in the workspace but in ignored folders."""
        ...

    def write(self, place: Place, data: bytes, expected: str | None) -> None:
        """Replace a file's bytes atomically, keeping mode, links and owner. `expected` is the SHA-256 it must have now,
        None = it must not exist yet. Raises EditFailure EDIT_CONFLICT, FILE_EXISTS, EDIT_REFUSED.
        """
        ...

    def rename(self, place: Place, target: Place) -> None:
        """Move without overwriting. Raises EditFailure."""
        ...

    def delete(self, place: Place, expected: str | None) -> None:
        """Remove a file with that SHA-256, or an empty directory (`expected` None). Raises EditFailure."""
        ...

    def make_directory(self, place: Place) -> None:
        """Make a directory and its parents. Raises EditFailure."""
        ...


class Runner(Protocol):
    """Runs command lines."""

    async def run(
        self,
        command: str,
        directory: Place,
        timeout: float,
        limit: int,
        on_output: Callable[[str], None],
    ) -> CommandResult:
        """Run `command` in the user's shell with no standard input; output beyond `limit` characters loses its middle.
        Cancelling ends it and all its descendants. Raises CommandFailure COMMAND_FAILED_TO_START, SANDBOX_UNAVAILABLE.
        """
        ...


# --- the front end


class Editor(Protocol):
    """The front end the user sits at: an editor over LSP, or a terminal."""

    def buffer(self, place: Place) -> FileText | None:
        """The text as it is open in the editor, saved or not; None when it isn't open."""
        ...

    def unsaved(self, place: Place) -> Mapping[str, str]:
        """The texts of open files at or below `place` that differ from the disk, by path relative to the workspace."""
        ...

    async def apply(self, changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:
        """Make all changes or none, and verify each. Open files change through the editor, others on disk.

        Raises:
            EditFailure: EDIT_CONFLICT when a file isn't what `before` says, EDIT_REFUSED, EDITOR_NO_ANSWER.
        """
        ...

    async def save(self, places: Sequence[Place]) -> tuple[Place, ...]:
        """Have open files written to disk before a command needs them there; returns those that still aren't."""
        ...

    async def show(self, question: QuestionSet, problem: str) -> Shown:
        """Show a question by the best means there is; `problem` says what was wrong with the answer before.
        Cancelling takes it back from the screen.
        """
        ...

    def tell(self, notice: Notice) -> None:
        """Show something now, or not; never raises."""
        ...


# --- what is kept


class Sessions(Protocol):
    """Sessions and their messages, in the state database, with a readable mirror in the workspace."""

    def put(self, session: Session) -> None:
        """Keep a session, new or changed."""
        ...

    def get(self, session_id: str) -> Session:
        """Raises NotFound SESSION_NOT_FOUND."""
        ...

    def list(self) -> Sequence[Session]:
        """All, the last used first."""
        ...

    def add_message(self, message: Message) -> None:
        """Append to the transcript."""
        ...

    def messages(self, session_id: str) -> Sequence[Message]:
        """The transcript in order."""
        ...


class Journal(Protocol):
    """The durable log: what will be done before it is done, what came of it after."""

    def append(self, session_id: str, execution_id: str, kind: str, data: Mapping[str, Any]) -> int:
        """On disk when this returns; the entry's sequence number. Raises StorageFailure."""
        ...

    def read(self, execution_id: str) -> Sequence[JournalEntry]:
        """All entries of one execution, in order."""
        ...

    def count(self, kind: str) -> int:
        """How many entries of that kind there are, in all executions and outside of them."""
        ...

    def keep(self, data: bytes) -> str:
        """Keep a before-image; returns its SHA-256 in hex."""
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
        """A question of the same session about the same thing that is open, or was answered while nobody waited for it.
        An answer found so is marked as used: it counts once.
        """
        ...

    def use(self, question_id: str) -> None:
        """Mark the answer as used by the one who waited for it."""
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
        """Keep `executions/<id>.json` and its index."""
        ...

    def executions(self) -> Sequence[Execution]:
        """All that can be read, the newest first."""
        ...

    def fingerprint(self) -> str:
        """SHA-256 over all of `.planact/` that widens rights when trusted (its config), empty when there is none."""
        ...


class Events(Protocol):
    """The observable facts, redacted and kept."""

    def record(self, event: Event) -> None:
        """Keep it; never raises."""
        ...

    def list(self, session_id: str = "") -> Sequence[Event]:
        """All, or those of one session, in order."""
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

    def release(self) -> None:
        """Give it back."""
        ...


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything outside, for one workspace folder. Made by `app.py`."""

    models: Models
    files: Files
    runner: Runner
    editor: Editor
    sessions: Sessions
    journal: Journal
    questions: Questions
    approvals: Approvals
    records: Records
    events: Events
    lock: Lock
    clock: Clock
    ids: IdSource
