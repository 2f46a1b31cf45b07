"""What is kept, kept in memory. All fakes of one store write into one log, so that a test can say what came first."""

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from planact.base.errors import NotFound
from planact.base.sources import Clock
from planact.model.chat.message import Message, Session
from planact.model.plan_records import Author, Revision
from planact.model.question import QuestionSet
from planact.model.rights.rule import Allowed, Rule
from planact.model.runs.execution import Execution
from planact.model.runs.journal import Event, EventKind, JournalEntry
from tests.fakes.approvals import MemoryApprovals
from tests.fakes.clock import FakeClock
from tests.fakes.lock import MemoryLock
from tests.fakes.outputs import MemoryOutputs

Log = list[tuple[str, str]]
"""What was done, in order: (`journal.append`, `call_started`), (`questions.put`, id) and so on."""


class MemorySessions:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._sessions: dict[str, Session] = {}
        self._messages: list[Message] = []

    def put(self, session: Session, *, is_synced: bool = True) -> None:
        self._log.append(("sessions.put", session.id))
        self._sessions.pop(session.id, None)
        self._sessions[session.id] = session

    def get(self, session_id: str) -> Session:
        if session_id not in self._sessions:
            raise NotFound("SESSION_NOT_FOUND", f"there is no session {session_id!r}")
        return self._sessions[session_id]

    def list(self) -> Sequence[Session]:
        return tuple(reversed(self._sessions.values()))

    def delete(self, session_id: str) -> None:
        self._log.append(("sessions.delete", session_id))
        self._sessions.pop(session_id, None)
        self._messages = [message for message in self._messages if message.session_id != session_id]

    def add_message(self, message: Message) -> None:
        self._log.append(("sessions.add_message", message.message_type))
        self._messages.append(message)
        if message.session_id in self._sessions:
            self._sessions[message.session_id] = self._sessions.pop(message.session_id)

    def messages(self, session_id: str) -> Sequence[Message]:
        return tuple(message for message in self._messages if message.session_id == session_id)


_STARTS = ("run_started", "run_resumed")


class MemoryJournal:
    def __init__(self, log: Log, clock: Clock) -> None:
        self._log = log
        self._clock = clock
        self.entries: list[JournalEntry] = []
        self.unsynced: list[JournalEntry] = []
        self.images: dict[str, bytes] = {}

    def append(
        self, session_id: str, execution_id: str, kind: str, data: Mapping[str, Any], *, is_synced: bool = True
    ) -> int:
        self._log.append(("journal.append", kind))
        time = self._clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        entry = JournalEntry(len(self.entries) + 1, session_id, execution_id, kind, time, dict(data))
        self.entries.append(entry)
        self.unsynced += [] if is_synced else [entry]
        return entry.sequence

    def read(self, execution_id: str, kinds: Collection[str] = (), *, after: int = 0) -> Sequence[JournalEntry]:
        mine = (each for each in self.entries if each.execution_id == execution_id and each.sequence > after)
        return tuple(entry for entry in mine if not kinds or entry.kind in kinds)

    def of_step(self, execution_id: str, number: int) -> Sequence[JournalEntry]:
        found = self.read(execution_id, ("step_started", "step_finished", "repair_started"))
        return tuple(each for each in found if {**each.data, **each.data.get("step", {})}["step_number"] == number)

    def step_starts(self, path: str, number: int) -> Sequence[JournalEntry]:
        begun = [each for each in self.entries if each.kind == "run_started" and each.data.get("path") == path]
        found = (entry for run in reversed(begun) for entry in self.of_step(run.execution_id, number))
        return tuple(entry for entry in found if entry.kind == "step_started")

    def runs(self, path: str = "", *, limit: int = 1_000) -> Sequence[JournalEntry]:
        return tuple(entry for entry in self._begun() if path in ("", entry.data.get("path")))[:limit]

    def _begun(self) -> Sequence[JournalEntry]:
        last = {entry.execution_id: entry.sequence for entry in self.entries if entry.kind in _STARTS}
        begun = [entry for entry in self.entries if entry.kind == "run_started"]
        return sorted(begun, key=lambda entry: last[entry.execution_id], reverse=True)

    def run_ids(self, path: str = "", plan_id: str = "") -> Sequence[str]:
        about = {name: value for name, value in (("path", path), ("plan_id", plan_id)) if value}
        return tuple(
            entry.execution_id
            for entry in self._begun()
            if not about or any(entry.data.get(name) == value for name, value in about.items())
        )

    def runs_since(self, sequence: int, kinds: Collection[str]) -> Sequence[str]:
        found = (each for each in self.entries if each.sequence >= sequence and each.kind in kinds)
        return tuple(dict.fromkeys(entry.execution_id for entry in found))

    def runs_with(self, kind: str) -> Mapping[str, int]:
        return Counter(entry.execution_id for entry in self.entries if entry.kind == kind)

    def paths_changed(self, path: str) -> frozenset[str]:
        changes = (entry for run_id in self.run_ids(path) for entry in self.read(run_id, ("file_changed",)))
        return frozenset(str(each.data["path"]) for each in changes)

    def open_runs(self) -> Sequence[JournalEntry]:
        kinds = (*_STARTS, "run_finished")
        last = {entry.execution_id: entry.kind for entry in self.entries if entry.kind in kinds}
        begun = (entry for entry in self.entries if entry.kind == "run_started")
        return tuple(entry for entry in begun if last[entry.execution_id] != "run_finished")

    def count(self, kind: str) -> int:
        return sum(entry.kind == kind for entry in self.entries)

    def keep(self, data: bytes) -> str:
        digest = hashlib.sha256(data).hexdigest()
        self._log.append(("journal.keep", digest))
        self.images[digest] = data
        return digest

    def keep_all(self, contents: Sequence[bytes]) -> Sequence[str]:
        return [self.keep(data) for data in contents]

    def kept(self, sha256: str) -> bytes | None:
        return self.images.get(sha256)


class MemoryQuestions:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._questions: dict[str, QuestionSet] = {}
        self._used: set[str] = set()
        self._told: set[str] = set()

    def put(self, question: QuestionSet) -> None:
        self._log.append(("questions.put", question.id))
        self._questions.setdefault(question.id, question)

    def get(self, question_id: str) -> QuestionSet:
        if question_id not in self._questions:
            raise NotFound("QUESTION_NOT_OPEN", f"there is no question {question_id!r}")
        return self._questions[question_id]

    def resolve(self, question: QuestionSet) -> bool:
        known = self._questions.get(question.id)
        if known is None or known.status != "open":
            return False
        self._log.append(("questions.resolve", question.status))
        self._questions[question.id] = question
        return True

    def open(self) -> Sequence[QuestionSet]:
        return tuple(question for question in self._questions.values() if question.status == "open")

    def claim(self, session_id: str, purpose: str, subject: str) -> QuestionSet | None:
        for status in ("answered", *(("declined",) if purpose == "agent" else ()), "open"):
            for question in self._questions.values():
                about = (question.session_id, question.purpose, question.subject, question.status)
                if about == (session_id, purpose, subject, status) and question.id not in self._used:
                    if status != "open":
                        self.use(question.id)
                    return question
        return None

    def asked(self, session_id: str, *, purpose: str = "", subject: str = "") -> Sequence[QuestionSet]:
        return [
            question
            for question in self._questions.values()
            if question.session_id == session_id and question.id not in self._used
            if purpose in ("", question.purpose) and subject in ("", question.subject)
        ]

    def of_runs(self, session_id: str, execution_ids: Collection[str]) -> Sequence[QuestionSet]:
        return [
            question
            for question in self._questions.values()
            if (question.session_id, question.status != "open") == (session_id, True)
            if question.execution_id in execution_ids
        ]

    def untold(self, session_id: str) -> Sequence[QuestionSet]:
        return [
            question
            for question in self._questions.values()
            if (question.session_id, question.status != "open") == (session_id, True) and question.id not in self._told
        ]

    def mark_told(self, question_ids: Collection[str]) -> None:
        self._told.update(question_ids)

    def use(self, question_id: str) -> None:
        self._used.add(question_id)


class MemoryRevisions:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._revisions: list[Revision] = []
        self._pinned: set[str] = set()

    def add(self, path: str, plan_id: str, text: str, author: Author, time: str) -> None:
        kept = self.list(path)
        if not kept or kept[-1].text != text:
            self._log.append(("revisions.add", path))
            self._revisions.append(Revision(len(kept) + 1, path, plan_id, text, author, time))

    def list(self, path: str) -> Sequence[Revision]:
        return tuple(revision for revision in self._revisions if revision.path == path)

    def pin(self, path: str, *, is_pinned: bool) -> None:
        (self._pinned.add if is_pinned else self._pinned.discard)(path)

    def pinned(self) -> frozenset[str]:
        return frozenset(self._pinned)


class MemoryRules:
    """Takes for a secret what says so."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._rules: dict[Allowed, Rule] = {}

    def can_keep(self, allows: Allowed) -> bool:
        return "password=" not in str(allows)

    def add(self, rule: Rule) -> None:
        self._log.append(("rules.add", str(rule.allows)))
        self._rules.setdefault(rule.allows, rule)

    def list(self) -> Sequence[Rule]:
        return tuple(self._rules.values())

    def revoke(self, rule_id: str) -> Rule:
        rule = next((rule for rule in self._rules.values() if rule.id == rule_id), None)
        if rule is None:
            raise NotFound("RULE_NOT_FOUND", f"there is no rule {rule_id!r}", "List the rules to see which there are.")
        self._log.append(("rules.revoke", rule_id))
        return self._rules.pop(rule.allows)


class MemoryRecords:
    def __init__(self, log: Log) -> None:
        self._log = log
        self.texts: dict[str, str] = {}
        self._executions: dict[str, Execution] = {}
        self.config_fingerprint = ""

    def write(self, relative: str, text: str) -> None:
        self._log.append(("records.write", relative))
        self.texts[relative] = text

    def read(self, relative: str) -> str | None:
        return self.texts.get(relative)

    def delete(self, relative: str) -> None:
        self._log.append(("records.delete", relative))
        self.texts.pop(relative, None)

    def list(self, relative: str) -> Sequence[str]:
        below = (name.removeprefix(f"{relative}/") for name in self.texts if name.startswith(f"{relative}/"))
        return tuple(sorted({name.partition("/")[0] for name in below}))

    def put_execution(self, execution: Execution, *, is_passing: bool = False) -> None:
        self._log.append(("records.put_execution", execution.status))
        self._executions[execution.id] = execution
        self.texts[f"executions/{execution.id}.json"] = execution.model_dump_json(indent=2)

    def execution(self, execution_id: str) -> Execution | None:
        return self._executions.get(execution_id)

    def execution_ids(self) -> Sequence[str]:
        return sorted(self._executions, reverse=True)

    def executions(self) -> Sequence[Execution]:
        return tuple(sorted(self._executions.values(), key=lambda each: (each.started_at, each.id), reverse=True))

    def is_index_current(self) -> bool:
        return True

    def keep_index(self) -> None:
        self._log.append(("records.keep_index", ""))

    def fingerprint(self) -> str:
        return self.config_fingerprint


class MemoryUserRoles:
    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def list(self) -> Sequence[str]:
        return tuple(sorted(self.texts))

    def read(self, file_name: str) -> str | None:
        return self.texts.get(file_name)

    def shown(self, file_name: str) -> str:
        return f"~/.config/planact/roles/{file_name}"


class MemoryEvents:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._events: list[Event] = []

    def record(self, event: Event) -> None:
        self._log.append(("events.record", event.kind))
        self._events.append(event)

    def list(self, session_id: str = "", kinds: Collection[EventKind] = ()) -> Sequence[Event]:
        return self.after(0, len(self._events), session_id, kinds)[0]

    def requests(self, execution_id: str) -> Sequence[Event]:
        return [each for each in self.list(kinds=("model_called",)) if each.data.get("execution_id") == execution_id]

    def planning(self, plan_id: str) -> Event | None:
        made = [each for each in self.list(kinds=("plan_created",)) if each.data.get("plan_id") == plan_id]
        return made[-1] if made else None

    def count(self, kind: EventKind, *names: str) -> Mapping[tuple[str, ...], int]:
        values = (tuple(str(each.data.get(name, "")) for name in names) for each in self.list(kinds=(kind,)))
        return dict(Counter(values).most_common())

    def after(
        self, mark: int, limit: int, session_id: str = "", kinds: Collection[EventKind] = ()
    ) -> tuple[Sequence[Event], int]:
        fitting = [
            (number, event)
            for number, event in enumerate(self._events, 1)
            if number > mark and session_id in ("", event.session_id) and (not kinds or event.kind in kinds)
        ][:limit]
        return tuple(event for _, event in fitting), fitting[-1][0] if fitting else mark


@dataclass
class MemoryStore:
    """All of them, with one log."""

    clock: FakeClock = field(default_factory=FakeClock)
    log: Log = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sessions = MemorySessions(self.log)
        self.outputs = MemoryOutputs(self.sessions)
        self.journal = MemoryJournal(self.log, self.clock)
        self.questions = MemoryQuestions(self.log)
        self.approvals = MemoryApprovals(self.log)
        self.rules = MemoryRules(self.log)
        self.records = MemoryRecords(self.log)
        self.user_roles = MemoryUserRoles()
        self.revisions = MemoryRevisions(self.log)
        self.events = MemoryEvents(self.log)
        self.lock = MemoryLock(self.log)
        self.session_holders: dict[str, list[str]] = {}

    def session_lock(self, session_id: str) -> MemoryLock:
        return MemoryLock([], self.session_holders.setdefault(session_id, []))
