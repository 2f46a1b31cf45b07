"""What is brought back of a damaged state database: all that lies in pages that are whole, nothing else, no rights."""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from planact.adapters.store.approvals import SqliteApprovals
from planact.adapters.store.database import Database
from planact.adapters.store.journal import SqliteJournal
from planact.adapters.store.pages import PAGE
from planact.adapters.store.questions import SqliteQuestions
from planact.adapters.store.revisions import SqliteRevisions
from planact.adapters.store.salvage import damaged_files, forms, salvage
from planact.base.errors import StorageFailure
from planact.model.approval import Approval
from planact.model.permission import Mode
from planact.model.question import Question, QuestionSet
from planact.model.session import Session
from tests.fakes.clock import FakeClock

Rows = dict[str, list[Any]]
NO_RIGHTS: Rows = {"approvals": [], "rules": [], "trust": []}


def rows_of(database: Database) -> Rows:
    return {table: database.rows(f"SELECT * FROM {table} ORDER BY rowid") for table in forms()}


def question(name: str, **more: Any) -> QuestionSet:
    return QuestionSet(id=name, session_id="s1", questions=(Question(question="?"),), created_at="t", **more)


def fill(database: Database) -> None:
    """All tables, with rows that are short, that fill pages, and that go over several."""
    journal = SqliteJournal(database, FakeClock())
    journal.append("s1", "e1", "run_started", {"plan": "# Plan\n" * 2_000})
    for number in range(60):
        journal.append("s1", "e1", "call_started", {"number": -number, "text": "ä" * 37 * number})
        digest = journal.keep(random.Random(number).randbytes(211 * number))
        database.write("INSERT INTO messages (session_id, data) VALUES (?, ?)", ("s1", f'{{"said": "{digest}"}}'))
        database.write("INSERT INTO events (session_id, kind, time, data) VALUES ('s1', 'k', 't', '{}')")
    journal.append("s1", "e1", "run_finished", {"status": "success"})
    database.write("INSERT INTO sessions VALUES ('s1', 1, '{}')")
    database.write("INSERT INTO rules (id, allows, data) VALUES ('r1', 'all', '{}')")
    SqliteRevisions(database).pin("a.plan", is_pinned=True)
    SqliteQuestions(database).put(question("q1"))
    SqliteApprovals(database).approve(Approval("plan_1", "a.plan", "hash", "text", "t"))
    SqliteApprovals(database).trust("fingerprint")


def set_aside(database: Database) -> Path:
    with pytest.raises(StorageFailure) as caught:
        database.check()
    assert caught.value.code == "STORAGE_DAMAGED"
    (damaged,) = damaged_files(database)
    return damaged


def overwritten(start: int, length: int) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(start)
            file.write(random.Random(start).randbytes(length))

    return damage


@pytest.mark.parametrize(
    "damage", [overwritten(0, 16), overwritten(0, 100), overwritten(0, PAGE)], ids=["name", "header", "first page"]
)
def test_without_its_header_and_its_log_all_comes_back_but_what_gives_rights(
    database: Database, damage: Callable[[Path], None]
) -> None:
    fill(database)
    before = rows_of(database)
    database.close()
    assert not database.path.with_name("state.db-wal").exists()
    damage(database.path)
    content = database.path.read_bytes()

    told = salvage(database, set_aside(database))
    assert rows_of(database) == before | NO_RIGHTS
    (kept,) = database.path.parent.glob("state.db.salvaged-*")
    assert kept.read_bytes() == content
    assert told == (
        "brought back from state.db.damaged-20261120T100000000000: 1 sessions, 60 messages, 62 journal, 60 images,"
        " 1 questions, 60 events, 1 pins",
        "left out approvals, rules and trust, which have to be given again; the damaged file is kept as " + str(kept),
    )


def test_what_only_the_log_has_comes_back_too(database: Database, tmp_path: Path) -> None:
    fill(database)
    before = rows_of(database)
    for suffix in ("", "-wal"):  # as a kill leaves them
        (tmp_path / f"state.db.damaged-1{suffix}").write_bytes(Path(f"{database.path}{suffix}").read_bytes())
    damaged = tmp_path / "state.db.damaged-1"
    log = Path(f"{damaged}-wal")
    size = log.stat().st_size
    overwritten(0, 2 * PAGE)(damaged)
    overwritten(size - 30, 30)(log)
    other = Database(tmp_path, FakeClock(), lambda value: value)
    salvage(other, damaged)
    assert rows_of(other) == before | NO_RIGHTS


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_is_damaged_nothing_comes_back_that_was_not_there(tmp_path: Path, data: st.DataObject) -> None:
    whole = tmp_path / "whole"
    database = Database(whole, FakeClock(), lambda value: value)
    if not whole.exists():
        fill(database)
    before = rows_of(database)
    database.close()
    damaged = tmp_path / os.urandom(8).hex() / "state.db.damaged-1"
    damaged.parent.mkdir()
    damaged.write_bytes(database.path.read_bytes())
    pages = damaged.stat().st_size // PAGE
    are_whole = data.draw(st.booleans())
    for page in data.draw(st.lists(st.integers(0, pages - 1), min_size=1, unique=True)):
        start, length = (0, PAGE) if are_whole else data.draw(st.tuples(st.integers(0, PAGE - 1), st.integers(1, PAGE)))
        overwritten(page * PAGE + start, length)(damaged)
    if data.draw(st.booleans()):
        os.truncate(damaged, data.draw(st.integers(0, pages * PAGE)))
    after = Database(damaged.parent, FakeClock(), lambda value: value)
    salvage(after, damaged)
    found = rows_of(after)
    after.close()
    assert {table: found[table] for table in NO_RIGHTS} == NO_RIGHTS
    assert set(found["images"]) <= set(before["images"])
    if are_whole:
        known = {table: {*rows} for table, rows in before.items()}
        invented = [row for table, rows in found.items() for row in rows if row not in known[table]]
        assert [row for row in invented if "entries_lost" not in row and row[:2] != ("s1", 0)] == []


def test_a_page_in_the_middle_takes_only_its_own_rows_along(database: Database) -> None:
    journal = SqliteJournal(database, FakeClock())
    journal.append("s1", "e1", "run_started", {})
    for number in range(300):
        journal.append("s1", "e1", "call_started", {"number": number})
    database.close()
    page = database.path.read_bytes().index(b'{"number":150}') // PAGE
    overwritten(page * PAGE, PAGE)(database.path)
    told = salvage(database, set_aside(database))
    numbers = {entry.data["number"] for entry in journal.read("e1", ("call_started",))}
    lost = len(set(range(300)) - numbers)
    assert 0 < lost < 100
    assert told[1] == f"{lost} entries of the journal are lost: what was done then can't be rolled back"
    kinds = [entry.kind for entry in journal.read("e1") if entry.kind != "call_started"]
    assert kinds == ["run_started", "entries_lost", "entries_lost"]  # in the middle, and after the last


def test_a_second_loss_counts_only_its_own_entries(database: Database) -> None:
    journal = SqliteJournal(database, FakeClock())
    for name in ("first", "second"):
        journal.append("s1", "e1", name, {})
        database.close()
        overwritten(0, PAGE)(database.path)
        damaged = set_aside(database)
        journal.append("s1", "e1", f"after the {name} damage", {})
        told = salvage(database, damaged)
        assert [line for line in told if "lost" in line] == []
    kinds = [entry.kind for entry in journal.read("e1")]
    assert kinds == ["first", "after the first damage", "second", "after the second damage"]


def test_a_salvage_that_was_cut_short_brings_nothing_back_twice(database: Database) -> None:
    fill(database)
    before = rows_of(database)
    database.close()
    overwritten(0, PAGE)(database.path)
    damaged = set_aside(database)
    salvage(database, damaged)
    (kept,) = database.path.parent.glob("state.db.salvaged-*")
    kept.rename(damaged)  # it was killed before it had done that
    salvage(database, damaged)
    assert rows_of(database) == before | NO_RIGHTS


def test_an_answer_that_lets_something_happen_is_asked_for_again(database: Database) -> None:
    questions = SqliteQuestions(database)
    for name, purpose in (("q1", "agent"), ("q2", "approval"), ("q3", "confirm")):
        asked = question(name, purpose=purpose, subject=name)
        questions.put(asked)
        questions.resolve(asked.model_copy(update={"status": "answered", "answers": {"answer": "yes"}}))
    questions.put(question("q4", purpose="approval", subject="q4"))
    database.close()
    overwritten(0, 100)(database.path)
    salvage(database, set_aside(database))
    found = {name: questions.adopt("s1", purpose, name) for name, purpose in (("q1", "agent"), ("q2", "approval"))}
    assert found["q1"] is not None
    assert found["q2"] is None
    assert questions.adopt("s1", "confirm", "q3") is None
    assert [each.id for each in questions.open()] == ["q4"]


def test_a_session_of_which_only_messages_are_left_is_there_again_in_plan(database: Database) -> None:
    fill(database)
    database.write("DELETE FROM sessions")
    database.close()
    overwritten(0, PAGE)(database.path)
    salvage(database, set_aside(database))
    ((session_id, data),) = database.rows("SELECT id, data FROM sessions")
    assert Session.model_validate_json(data) == Session(id="s1", mode=Mode.PLAN, title="Recovered conversation")
    assert session_id == "s1"


def test_a_session_that_was_deleted_does_not_come_back(database: Database) -> None:
    for session in ("s1", "s2"):
        database.write("INSERT INTO sessions VALUES (?, 1, '{}')", (session,))
        for number in range(200):
            data = f'{{"said": "{session} {number} {"x" * 100}"}}'
            database.write("INSERT INTO messages (session_id, data) VALUES (?, ?)", (session, data))
    with database.transaction() as connection:
        connection.execute("DELETE FROM messages WHERE session_id = 's1'")
        connection.execute("DELETE FROM sessions WHERE id = 's1'")
    database.close()
    overwritten(0, PAGE)(database.path)
    salvage(database, set_aside(database))
    assert database.rows("SELECT session_id, count(*) FROM messages GROUP BY 1") == [("s2", 200)]
    assert database.rows("SELECT id FROM sessions") == [("s2",)]


def test_no_two_tables_have_rows_of_one_form() -> None:
    # A row without its table could then be taken for one of another's.
    known = [form.types for form in forms().values()]
    assert len(set(known)) == len(known) > 10
