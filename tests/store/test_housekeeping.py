"""What nobody can ask for any more goes, a week after it was first seen so, and nothing else does."""

import hashlib
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.disk.lock import FileLock
from planact.adapters.store.recovery.housekeeping import Removed, keep_house
from planact.adapters.store.state.approvals import SqliteApprovals
from planact.adapters.store.state.database import Database
from planact.adapters.store.state.journal import SqliteJournal
from planact.adapters.store.state.questions import SqliteQuestions
from planact.adapters.store.state.revisions import SqliteRevisions
from planact.model.plan_records import Approval
from planact.model.question import Question, QuestionSet
from planact.model.settings import HistorySettings
from tests.fakes.clock import FakeClock

ROOT = Path(__file__).parents[2]
DIGEST = hashlib.sha256(b"a text").hexdigest()


def a_week_later(clock: FakeClock) -> None:
    clock.time += timedelta(days=7)


def look(database: Database, clock: FakeClock) -> int:
    return keep_house(database, clock, lambda: True).unnamed


def look_twice(database: Database, clock: FakeClock) -> int:
    first = look(database, clock)
    a_week_later(clock)
    return first + look(database, clock)


def test_a_text_goes_when_nothing_names_it_for_a_week(database: Database, clock: FakeClock) -> None:
    journal = SqliteJournal(database, clock)
    journal.keep(b"a text")
    assert look(database, clock) == 0
    assert journal.kept(DIGEST) == b"a text"
    clock.time += timedelta(days=6)
    assert look(database, clock) == 0
    clock.time += timedelta(days=1)
    assert look(database, clock) == 1
    assert journal.kept(DIGEST) is None


NAMED: dict[str, Callable[[Database], object]] = {
    "by the journal": lambda db: SqliteJournal(db, FakeClock()).append("s", "e", "files_changing", {"x": [DIGEST]}),
    "by a revision": lambda db: SqliteRevisions(db).add("a.plan", "p", f"- a.py {DIGEST}", "planner", ""),
    "by an approval": lambda db: SqliteApprovals(db).approve(Approval("a.plan", "p", "h", f"a.py {DIGEST}", "")),
    "by a question": lambda db: SqliteQuestions(db).put(
        QuestionSet(
            id="q",
            session_id="s",
            purpose="agent",
            subject=DIGEST,
            questions=(Question(name="n", question="?"),),
            created_at="",
        )
    ),
}


@pytest.mark.parametrize("name", NAMED)
def test_what_is_named_stays_for_ever(database: Database, clock: FakeClock, name: str) -> None:
    journal = SqliteJournal(database, clock)
    journal.keep(b"a text")
    NAMED[name](database)
    assert look_twice(database, clock) == look_twice(database, clock) == 0
    assert journal.kept(DIGEST) == b"a text"


def test_what_is_named_or_kept_again_after_the_first_look_stays(database: Database, clock: FakeClock) -> None:
    journal = SqliteJournal(database, clock)
    named, kept = (journal.keep(text) for text in (b"named", b"kept"))
    look(database, clock)
    journal.append("s", "e", "files_changing", {"after": named})
    journal.keep(b"kept")
    a_week_later(clock)
    assert look(database, clock) == 0
    assert (journal.kept(named), journal.kept(kept)) == (b"named", b"kept")
    a_week_later(clock)
    assert look(database, clock) == 1
    assert (journal.kept(named), journal.kept(kept)) == (b"named", None)


def test_a_text_that_is_kept_between_the_look_and_the_removal_stays(database: Database, clock: FakeClock) -> None:
    journal = SqliteJournal(database, clock)
    journal.keep(b"a text")
    look(database, clock)
    a_week_later(clock)
    questions = 0

    def is_quiet() -> bool:
        nonlocal questions
        questions += 1
        if questions == 2:  # all is read; this is asked before anything goes
            journal.keep(b"a text")
        return True

    assert keep_house(database, clock, is_quiet) == Removed()
    assert questions >= 2
    assert journal.kept(DIGEST) == b"a text"


def test_no_other_row_is_ever_taken_out(database: Database, clock: FakeClock) -> None:
    for each in NAMED.values():
        each(database)
    tables = ("journal", "revisions", "approvals", "questions", "messages", "sessions", "events", "pins", "rules")

    def rows() -> list[object]:
        return [database.rows(f"SELECT * FROM {table}") for table in tables]

    before = rows()
    look_twice(database, clock)
    assert rows() == before


@pytest.mark.parametrize("name", ["run.lock", "sessions/s1.lock"])
def test_nothing_goes_while_another_process_works(database: Database, clock: FakeClock, name: str) -> None:
    SqliteJournal(database, clock).keep(b"a text")
    look(database, clock)
    a_week_later(clock)
    lock = FileLock(database.path.parent / name, str)
    assert lock.acquire("a run") == ""
    assert look(database, clock) == 0
    lock.release()
    assert look(database, clock) == 1


def test_nothing_goes_while_work_begins_here(database: Database, clock: FakeClock) -> None:
    SqliteJournal(database, clock).keep(b"a text")
    look(database, clock)
    a_week_later(clock)
    assert keep_house(database, clock, lambda: False) == Removed()
    assert look(database, clock) == 1


def test_a_clock_that_is_set_back_takes_nothing_away_early(database: Database, clock: FakeClock) -> None:
    journal = SqliteJournal(database, clock)
    journal.keep(b"a text")
    clock.time += timedelta(days=100)
    look(database, clock)
    clock.time -= timedelta(days=100)
    assert look_twice(database, clock) == 0
    assert journal.kept(DIGEST) == b"a text"


def test_where_there_is_no_state_none_is_made(database: Database, clock: FakeClock) -> None:
    assert look_twice(database, clock) == 0
    assert not database.path.parent.exists()


# --- what the disk gets back


def test_what_went_makes_the_file_smaller(database: Database, clock: FakeClock) -> None:
    journal = SqliteJournal(database, clock)
    for number in range(50):
        journal.keep(bytes([number]) * 100_000)
    database.checkpoint_and_close()
    before = database.path.stat().st_size
    assert look_twice(database, clock) == 50
    database.checkpoint_and_close()
    assert before > 5_000_000
    assert database.path.stat().st_size < 500_000


def test_the_log_is_gone_after_a_clean_end(database: Database, clock: FakeClock) -> None:
    journal = SqliteJournal(database, clock)
    journal.append("s", "e", "call_started", {})
    assert database.path.with_name("state.db-wal").stat().st_size
    database.checkpoint_and_close()
    assert sorted(path.name for path in database.path.parent.iterdir()) == ["open.lock", "state.db"]
    assert len(journal.read("e")) == 1


def test_the_log_is_emptied_while_another_process_has_the_database_open(database: Database, clock: FakeClock) -> None:
    other = Database(database.path.parent, clock, Redactor({}).data)
    SqliteJournal(database, clock).append("s", "e", "call_started", {})
    assert len(SqliteJournal(other, clock).read("e")) == 1
    database.checkpoint_and_close()
    assert database.path.with_name("state.db-wal").stat().st_size == 0
    other.write("UPDATE journal SET kind = 'call_finished'")
    other.close()
    assert [entry.kind for entry in SqliteJournal(database, clock).read("e")] == ["call_finished"]


def test_the_end_waits_for_no_reader(database: Database, clock: FakeClock) -> None:
    other = Database(database.path.parent, clock, Redactor({}).data)
    journal = SqliteJournal(database, clock)
    journal.append("s", "e", "call_started", {})
    with other.transaction() as connection:
        connection.execute("SELECT * FROM journal").fetchall()
        database.checkpoint_and_close()
    other.close()
    assert len(journal.read("e")) == 1


# --- kill -9

CHILD = """
import os, shutil, signal, sys
from datetime import datetime
from pathlib import Path
from planact.adapters.store.state.database import Database
from planact.adapters.store.recovery.housekeeping import keep_house
from tests.fakes.clock import FakeClock

def die_at(last, folder):
    clock = FakeClock(datetime.fromisoformat(sys.argv[2]))
    database = Database(folder, clock, lambda value: value)
    seen = 0
    def trace(sql):
        nonlocal seen
        seen += sql.startswith(("BEGIN", "DELETE", "INSERT", "COMMIT", "PRAGMA incremental"))
        if seen == last:
            os.kill(os.getpid(), signal.SIGKILL)
    with database.transaction() as connection:
        connection.execute("SELECT 1")
    connection.set_trace_callback(trace)
    keep_house(database, clock, lambda: True)
    os._exit(0)

original, kills, code = Path(sys.argv[1]), 0, signal.SIGKILL
while code == signal.SIGKILL:
    kills += 1
    folder = original.with_name(f"killed-{kills}")
    shutil.copytree(original, folder)
    child = os.fork()
    if not child:
        die_at(kills, folder)
    _, code = os.waitpid(child, 0)
assert code == 0
"""


def test_a_kill_at_any_statement_leaves_all_that_is_named_and_the_next_look_ends_it(
    database: Database, clock: FakeClock
) -> None:
    journal = SqliteJournal(database, clock)
    for number in range(30):
        journal.keep(bytes([number]) * 5_000)
    named = journal.keep(b"named")
    journal.append("s", "e", "files_changing", {"before": named})
    look(database, clock)
    a_week_later(clock)
    database.checkpoint_and_close()
    folder = database.path.parent
    command = [sys.executable, "-c", CHILD, str(folder), clock.time.isoformat()]
    subprocess.run(command, cwd=ROOT, timeout=120, check=True)
    a_week_later(clock)
    killed = sorted(folder.parent.glob("killed-*"))
    for each in killed:
        left = Database(each, clock, Redactor({}).data)
        left.check()
        assert SqliteJournal(left, clock).kept(named) == b"named"
        look(left, clock)
        assert left.rows("SELECT sha256 FROM images") == [(named,)]
        assert left.rows("SELECT sha256 FROM doubtful") == []
        left.close()
    assert len(killed) > 8


def kept_each_day(database: Database, clock: FakeClock, days: int, size: int = 1_000_000) -> list[str]:
    """One text of that size each day, which the journal names; their SHA-256."""
    journal = SqliteJournal(database, clock)
    kept = []
    for day in range(days):
        digest = journal.keep(f"{day} ".encode().ljust(size))
        journal.append("s", "e", "files_changing", {"touches": [{"path": "a", "before": {"sha256": digest}}]})
        kept.append(digest)
        clock.time += timedelta(days=1)
    return kept


def left(database: Database, kept: list[str]) -> list[int]:
    """The days of which the text is left."""
    journal = SqliteJournal(database, FakeClock())
    return [day for day, digest in enumerate(kept) if journal.kept(digest) is not None]


def test_texts_for_undo_are_dropped_by_age(database: Database, clock: FakeClock) -> None:
    kept = kept_each_day(database, clock, 20)
    removed = keep_house(database, clock, lambda: True, HistorySettings(undo_days=5))
    assert left(database, kept) == [15, 16, 17, 18, 19]
    assert removed == Removed(0, 15)
    assert list(removed.lines()) == [
        "dropped 15 texts kept for undo, the oldest, by history.undoDays and history.undoMegabytes"
    ]


def test_texts_for_undo_are_dropped_by_size_the_oldest_first_but_not_those_of_the_last_day(
    database: Database, clock: FakeClock
) -> None:
    kept = kept_each_day(database, clock, 20)
    assert keep_house(database, clock, lambda: True, HistorySettings(undo_megabytes=7)).old == 13
    assert left(database, kept) == [13, 14, 15, 16, 17, 18, 19]
    clock.time += timedelta(days=7)
    today = kept_each_day(database, clock, 1, size=9_000_000)
    clock.time -= timedelta(hours=1)
    assert keep_house(database, clock, lambda: True, HistorySettings(undo_megabytes=7)).old == 7
    assert (left(database, kept), left(database, today)) == ([], [0])


def test_what_was_changed_again_counts_as_new(database: Database, clock: FakeClock) -> None:
    kept = kept_each_day(database, clock, 10)
    SqliteJournal(database, clock).append("s", "f", "files_changing", {"sha256": kept[0]})
    keep_house(database, clock, lambda: True, HistorySettings(undo_days=3))
    assert left(database, kept) == [0, 7, 8, 9]


@pytest.mark.parametrize("how", [how for how in NAMED if how != "by the journal"])
def test_what_another_row_names_is_never_too_old(database: Database, clock: FakeClock, how: str) -> None:
    journal = SqliteJournal(database, clock)
    journal.append("s", "e", "files_changing", {"sha256": journal.keep(b"a text")})
    NAMED[how](database)
    clock.time += timedelta(days=400)
    assert keep_house(database, clock, lambda: True, HistorySettings(undo_days=1)).old == 0
    assert journal.kept(DIGEST) == b"a text"


def test_nothing_is_dropped_while_a_run_works(database: Database, clock: FakeClock) -> None:
    kept = kept_each_day(database, clock, 5)
    lock = FileLock(database.path.parent / "run.lock", str)
    looks = iter((True, True))

    def is_quiet() -> bool:
        if next(looks, None) is None and not lock.holder():
            lock.acquire("a run that has just begun")
        return True

    assert keep_house(database, clock, is_quiet, HistorySettings(undo_days=1)).old == 0
    lock.release()
    assert left(database, kept) == [0, 1, 2, 3, 4]
