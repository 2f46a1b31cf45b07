import sqlite3
import time
from pathlib import Path

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.state.database import Database
from planact.adapters.store.state.events import SqliteEvents
from planact.adapters.store.state.journal import SqliteJournal
from planact.model.runs.journal import Event
from tests.fakes.clock import FakeClock
from tests.fakes.ordinary_user import as_ordinary_user

EVENT = Event(kind="mode_entered", session_id="s1", time="t")
A_YEAR = 100_000


def database_in(folder: Path, patience: float = 30.0) -> Database:
    return Database(folder, FakeClock(), Redactor({}).data, patience)


def test_an_event_that_cannot_be_kept_is_reported_once_and_gets_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    reports: list[str] = []
    database = database_in(tmp_path / "file" / "x")
    events = SqliteEvents(database, reports.append)
    for event in (EVENT, EVENT, EVENT.model_copy(update={"data": {"x": object}})):
        events.record(event)
    assert [report.partition(":")[0] for report in reports] == ["the event mode_entered was not recorded"]
    assert "STORAGE_UNWRITABLE" in reports[0]

    (tmp_path / "file").unlink()
    events.record(EVENT)
    events.record(EVENT)
    assert reports[1:] == ["events are recorded again; 3 were not"]
    assert events.list() == (EVENT, EVENT)
    database.close()


def test_a_database_that_somebody_else_holds_is_waited_for_with_bounds(tmp_path: Path) -> None:
    reports: list[str] = []
    database = database_in(tmp_path, patience=0.2)
    events = SqliteEvents(database, reports.append)
    events.record(EVENT)
    other = sqlite3.connect(database.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    events.record(EVENT)
    assert [("locked" in report) for report in reports] == [True]
    other.execute("ROLLBACK")
    other.close()
    events.record(EVENT)
    assert (len(events.list()), len(reports)) == (2, 2)
    database.close()


@pytest.mark.parametrize("cause", ["full", "readonly"])
def test_a_disk_that_takes_no_more_is_reported_and_what_is_there_stays_readable(tmp_path: Path, cause: str) -> None:
    reports: list[str] = []
    database = database_in(tmp_path)
    events = SqliteEvents(database, reports.append)
    events.record(EVENT)
    with database.transaction() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}" if cause == "full" else "PRAGMA query_only = 1")
    big = EVENT.model_copy(update={"data": {"x": "y" * 100_000}})
    events.record(big)
    events.record(big)
    assert len(reports) == 1
    assert cause in reports[0]
    assert events.list() == (EVENT,)
    database.close()


def test_a_folder_that_is_not_ours_is_reported_too() -> None:
    async def work() -> list[str]:
        folder = Path("/tmp/state")
        events = SqliteEvents(database := database_in(folder), (reports := list[str]()).append)
        events.record(EVENT)
        database.close()
        (folder / "state.db").chmod(0o400)
        folder.chmod(0o500)  # noqa: ASYNC240
        events.record(EVENT)
        return reports

    reports = as_ordinary_user(work)
    assert len(reports) == 1
    assert "STORAGE_UNWRITABLE" in reports[0]


def test_a_row_of_another_time_does_not_hide_the_other_events(tmp_path: Path) -> None:
    database = database_in(tmp_path)
    events = SqliteEvents(database, print)
    database.write("INSERT INTO events (session_id, kind, time, data) VALUES ('s1', 'gone', 't', '{}')")
    events.record(EVENT)
    assert events.list() == (EVENT,)
    assert events.after(0, 1) == ((), 1)
    assert events.after(1, 1) == ((EVENT,), 2)
    database.close()


def test_a_mark_of_a_database_that_was_set_aside_begins_anew(tmp_path: Path) -> None:
    database = database_in(tmp_path)
    events = SqliteEvents(database, print)
    events.record(EVENT)
    assert events.after(500, 10) == ((EVENT,), 1)
    database.close()


def test_the_events_of_a_year_are_not_gone_through_for_a_few(tmp_path: Path) -> None:
    database = database_in(tmp_path)
    rare = "plan_stale"
    with database.transaction() as connection:
        connection.executemany(
            "INSERT INTO events (session_id, kind, time, data) VALUES (?, ?, 't', ?)",
            (
                (f"s{number % 300}", rare if number % 1000 == 0 else "tool_called", EVENT.model_dump_json())
                for number in range(A_YEAR)
            ),
        )
        connection.executemany(
            "INSERT INTO journal (session_id, execution_id, kind, time, data) VALUES ('s', 'e', ?, 't', '{}')",
            (("call_refused" if number % 1000 == 0 else "call_started",) for number in range(A_YEAR)),
        )
    events, journal = SqliteEvents(database, print), SqliteJournal(database, FakeClock())

    def seconds(read: object) -> float:
        started = time.process_time()
        assert callable(read)
        read()
        return time.process_time() - started

    assert len(events.after(0, 1_000, kinds=[rare])[0]) == journal.count("call_refused") == 100
    everything = min(seconds(events.list) for _ in range(2))
    for few in (
        lambda: events.after(0, 1_000, kinds=[rare]),
        lambda: events.after(0, 1_000, kinds=[rare, "plan_created"]),
        lambda: events.after(0, 1_000, "s7"),
        lambda: events.after(A_YEAR - 10, 1_000),
        lambda: journal.count("call_refused"),
    ):
        assert min(seconds(few) for _ in range(5)) < everything / 20
    database.close()
