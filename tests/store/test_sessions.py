"""Transcripts, which are read once and then only as far as they grew."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.state.database import Database
from planact.adapters.store.state.journal import SqliteJournal
from planact.adapters.store.state.records import WorkspaceRecords
from planact.adapters.store.state.sessions import SqliteSessions, Transcripts
from planact.model.chat.message import Message, Session, Speaker, Usage
from tests.fakes.clock import FakeClock


@pytest.fixture
def here(database: Database, tmp_path: Path) -> SqliteSessions:
    return sessions(database, tmp_path)


@pytest.fixture
def elsewhere(database: Database, tmp_path: Path) -> Iterator[SqliteSessions]:
    """The same folder in another process."""
    other = Database(database.path.parent, FakeClock(), Redactor({}).data)
    yield sessions(other, tmp_path)
    other.close()


def sessions(database: Database, workspace: Path) -> SqliteSessions:
    records = WorkspaceRecords(workspace, FakeClock(), Redactor({}).text, print)
    return SqliteSessions(database, Transcripts(records, print))


def message(text: str, session: str = "s1", role: Speaker = "user") -> Message:
    return Message(id=f"{session}-{text}", session_id=session, role=role, content=text)


def said(store: SqliteSessions, session: str = "s1") -> list[str]:
    return [message.content for message in store.messages(session)]


def test_a_mirror_that_lags_behind_gets_the_last_front_matter_once(database: Database, tmp_path: Path) -> None:
    jobs: list[Callable[[], None]] = []
    records = WorkspaceRecords(tmp_path, FakeClock(), Redactor({}).text, print)
    here = SqliteSessions(database, Transcripts(records, print), jobs.append)
    for title, requests in (("first", 1), ("second", 1), ("first", 1), ("first", 2)):
        here.put(Session(id="s1", title=title, usage=Usage(requests=requests)))
    assert len(jobs) == 3, "usage alone is not in the mirror"
    for job in jobs:
        job()
    assert "title: first\n" in (tmp_path / ".planact/sessions/s1.chat").read_text()


def test_what_another_process_adds_is_read_too(here: SqliteSessions, elsewhere: SqliteSessions) -> None:
    here.add_message(message("a"))
    assert said(here) == ["a"]
    elsewhere.add_message(message("b"))
    here.add_message(message("c"))
    assert said(here) == said(elsewhere) == ["a", "b", "c"]


def test_of_a_session_that_another_process_deletes_nothing_stays(
    here: SqliteSessions, elsewhere: SqliteSessions
) -> None:
    here.put(Session(id="s1"))
    here.add_message(message("a"))
    assert said(here) == ["a"]
    elsewhere.delete("s1")
    assert said(here) == []
    elsewhere.add_message(message("b"))  # in the row where `a` was
    assert said(here) == ["b"]


def test_each_of_many_sessions_has_its_own_messages(here: SqliteSessions) -> None:
    names = [f"s{number}" for number in range(20)]
    for _ in range(2):
        for name in names:
            here.add_message(message(f"of {name}", name))
            assert set(said(here, name)) == {f"of {name}"}
    assert [len(said(here, name)) for name in names] == [2] * 20


def test_a_message_that_was_read_is_not_decoded_again(here: SqliteSessions, database: Database) -> None:
    here.add_message(message("a"))
    (first,) = here.messages("s1")
    here.add_message(message("b"))
    assert here.messages("s1")[0] is first


@pytest.mark.parametrize(
    ("role", "waits"), [("user", "FULL"), ("system", "FULL"), ("assistant", "NORMAL"), ("tool", "NORMAL")]
)
def test_what_the_user_said_waits_for_the_disk_and_what_the_model_said_does_not(
    here: SqliteSessions, database: Database, role: Speaker, waits: str
) -> None:
    traced = statements(database)
    here.add_message(message("a", role=role))
    assert [line for line in traced if "synchronous" in line] == [f"PRAGMA synchronous = {waits}"]


@pytest.mark.parametrize(("is_synced", "waits"), [(True, "FULL"), (False, "NORMAL")])
def test_a_session_waits_for_the_disk_but_where_nothing_is_decided_by_it(
    here: SqliteSessions, database: Database, is_synced: bool, waits: str
) -> None:
    traced = statements(database)
    here.put(Session(id="s1"), is_synced=is_synced)
    assert [line for line in traced if "synchronous" in line] == [f"PRAGMA synchronous = {waits}"]


@pytest.mark.parametrize(("is_synced", "waits"), [(True, "FULL"), (False, "NORMAL")])
def test_an_entry_of_the_journal_waits_for_the_disk_but_where_its_absence_says_the_same(
    database: Database, is_synced: bool, waits: str
) -> None:
    traced = statements(database)
    SqliteJournal(database, FakeClock()).append("s1", "e1", "call_finished", {}, is_synced=is_synced)
    assert [line for line in traced if "synchronous" in line] == [f"PRAGMA synchronous = {waits}"]


def test_what_is_meant_waits_for_the_disk(database: Database) -> None:
    traced = statements(database)
    SqliteJournal(database, FakeClock()).append("s1", "e1", "call_started", {})
    assert traced[:2] == ["PRAGMA synchronous = FULL", "BEGIN IMMEDIATE"]


def statements(database: Database) -> list[str]:
    """What the database is told from now on."""
    traced: list[str] = []
    with database.transaction() as connection:
        assert isinstance(connection, sqlite3.Connection)
    connection.set_trace_callback(traced.append)
    return traced
