"""Each store twice: the real one, and the fake that other tests use in its place. Both keep the same contract."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.disk.lock import FileLock
from planact.adapters.store.state.approvals import SqliteApprovals
from planact.adapters.store.state.database import Database
from planact.adapters.store.state.events import SqliteEvents
from planact.adapters.store.state.journal import SqliteJournal
from planact.adapters.store.state.outputs import SqliteOutputs
from planact.adapters.store.state.questions import SqliteQuestions
from planact.adapters.store.state.records import WorkspaceRecords
from planact.adapters.store.state.revisions import SqliteRevisions
from planact.adapters.store.state.rules import SqliteRules
from planact.adapters.store.state.sessions import SqliteSessions, Transcripts
from planact.ports import Approvals, Events, Journal, KeptOutputs, Lock, Questions, Records, Revisions, Rules, Sessions
from tests.fakes.clock import FakeClock
from tests.fakes.lock import MemoryLock
from tests.fakes.store import MemoryStore


@dataclass
class Stores:
    sessions: Sessions
    outputs: KeptOutputs
    journal: Journal
    questions: Questions
    approvals: Approvals
    rules: Rules
    records: Records
    revisions: Revisions
    events: Events
    new_lock: Callable[[], Lock]


@pytest.fixture(params=["real", "fake"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stores]:
    if request.param == "fake":
        memory, holders = MemoryStore(), []
        yield Stores(
            memory.sessions,
            memory.outputs,
            memory.journal,
            memory.questions,
            memory.approvals,
            memory.rules,
            memory.records,
            memory.revisions,
            memory.events,
            lambda: MemoryLock(memory.log, holders),
        )
        return
    clock, redactor, reports = FakeClock(), Redactor({}), []
    database = Database(tmp_path / "state", clock, redactor.data)
    records = WorkspaceRecords(tmp_path, clock, redactor.text, reports.append)
    yield Stores(
        SqliteSessions(database, Transcripts(records, reports.append)),
        SqliteOutputs(database),
        SqliteJournal(database, clock),
        SqliteQuestions(database),
        SqliteApprovals(database),
        SqliteRules(database),
        records,
        SqliteRevisions(database),
        SqliteEvents(database, reports.append),
        lambda: FileLock(tmp_path / "state" / "run.lock", str),
    )
    database.close()
    assert reports == []
