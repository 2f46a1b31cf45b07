import json
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.disk.lock import exclusive
from planact.adapters.store.state.approvals import SqliteApprovals
from planact.adapters.store.state.database import MIGRATIONS, Database, state_folder
from planact.adapters.store.state.journal import SqliteJournal
from planact.adapters.store.state.questions import SqliteQuestions
from planact.base.errors import StorageFailure
from planact.model.plan_records import Approval
from planact.model.question import Question, QuestionSet
from tests.fakes.clock import FakeClock

# What a process of its own does, given the folder of the database and its other arguments.
PRELUDE = """
import os, resource, signal, sys
from pathlib import Path
from planact.adapters.store.state.approvals import SqliteApprovals
from planact.adapters.store.state.database import Database
from planact.adapters.store.state.journal import SqliteJournal
from planact.adapters.store.state.questions import SqliteQuestions
from planact.base.errors import StorageFailure
from planact.model.question import Question, QuestionSet
from tests.fakes.clock import FakeClock
database = Database(Path(sys.argv[1]), FakeClock(), lambda value: value)
journal = SqliteJournal(database, FakeClock())
"""
ROOT = Path(__file__).parents[2]


def process(code: str, database: Database, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + code, str(database.path.parent), *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def finish(child: subprocess.Popen[str]) -> str:
    output, _ = child.communicate(timeout=180)
    return output


# --- where and when


def test_nothing_is_made_before_something_is_written(database: Database) -> None:
    journal = SqliteJournal(database, FakeClock())
    assert journal.read("e1") == ()
    assert not database.path.parent.exists()
    journal.append("s1", "e1", "call_started", {})
    assert database.path.exists()


def test_only_the_user_can_read_the_state(database: Database) -> None:
    SqliteApprovals(database).trust("x")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in database.path.parent.iterdir()}
    assert stat.S_IMODE(database.path.parent.stat().st_mode) == 0o700
    assert modes == dict.fromkeys(("state.db", "state.db-wal", "state.db-shm", "open.lock"), 0o600)


def test_the_folder_is_named_after_the_real_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "My App").mkdir()
    (tmp_path / "link").symlink_to("My App")
    folder = state_folder(tmp_path / "My App")
    assert folder.parent == tmp_path / "state" / "planact"
    assert folder.name.startswith("my-app-")
    assert state_folder(tmp_path / "link") == folder
    assert state_folder(tmp_path / "my app") != folder


# --- several processes, and their ends


def test_what_was_appended_survives_kill_9(database: Database) -> None:
    child = process(
        """
for number in range(3):
    journal.append("s1", "e1", "call_started", {"number": number})
print("appended", flush=True)
with database.transaction() as connection:
    connection.execute("DELETE FROM journal")  # not finished when it is killed
    print("deleting", flush=True)
    signal.pause()
""",
        database,
    )
    assert child.stdout is not None
    assert [child.stdout.readline(), child.stdout.readline()] == ["appended\n", "deleting\n"]
    child.send_signal(signal.SIGKILL)
    assert finish(child) == ""
    assert [entry.data for entry in SqliteJournal(database, FakeClock()).read("e1")] == [
        {"number": 0},
        {"number": 1},
        {"number": 2},
    ]


def test_several_processes_begin_one_database_and_lose_nothing(database: Database) -> None:
    code = """
for number in range(40):
    journal.append("s1", "e1", sys.argv[2], {})
"""
    children = [process(code, database, f"kind{number}") for number in range(4)]
    assert [finish(child) for child in children] == [""] * 4
    entries = SqliteJournal(database, FakeClock()).read("e1")
    counts = {kind: sum(entry.kind == kind for entry in entries) for kind in {entry.kind for entry in entries}}
    assert counts == {"kind0": 40, "kind1": 40, "kind2": 40, "kind3": 40}
    assert len({entry.sequence for entry in entries}) == 160


def test_who_comes_and_goes_takes_nothing_from_who_stays(database: Database) -> None:
    """A second connection of one's own, as settings are read with, and then another process, open and close it."""
    journal = SqliteJournal(database, FakeClock())
    journal.append("s1", "e1", "first", {})
    again = Database(database.path.parent, FakeClock(), lambda value: value)
    assert len(SqliteJournal(again, FakeClock()).read("e1")) == 1
    again.close()
    reading = "print([entry.kind for entry in journal.read('e1')])\ndatabase.close()"
    assert finish(process(reading, database)) == "['first']\n"
    journal.append("s1", "e1", "second", {})
    assert finish(process(reading, database)) == "['first', 'second']\n"
    finish(process("journal.append('s1', 'e1', 'third', {})", database))
    assert [entry.kind for entry in journal.read("e1")] == ["first", "second", "third"]


def test_of_several_processes_one_ends_the_question(database: Database) -> None:
    for number in range(20):
        SqliteQuestions(database).put(asked(f"q{number}"))
    code = """
for number in range(20):
    question = QuestionSet(id=f"q{number}", session_id="s1", questions=(Question(question="?"),), created_at="t",
                           status="answered", answers={"answer": sys.argv[2]})
    if SqliteQuestions(database).resolve(question):
        print(question.id, sys.argv[2])
"""
    outputs = [finish(child) for child in [process(code, database, name) for name in ("a", "b", "c")]]
    won = dict(line.split() for output in outputs for line in output.splitlines())
    assert sum(len(output.splitlines()) for output in outputs) == 20
    kept = {name: SqliteQuestions(database).get(name).answers for name in won}
    assert kept == {name: {"answer": winner} for name, winner in won.items()}


def asked(name: str) -> QuestionSet:
    return QuestionSet(id=name, session_id="s1", questions=(Question(question="?"),), created_at="t")


def test_a_database_that_was_taken_away_is_begun_anew(database: Database) -> None:
    approvals = SqliteApprovals(database)
    approvals.trust("before")
    for path in list(database.path.parent.iterdir()):
        path.unlink()
    database.path.parent.rmdir()
    assert approvals.trusted() == ""
    approvals.trust("after")
    assert approvals.trusted() == "after"


# --- damage


@pytest.mark.parametrize("damage", ["not a database", "torn pages"])
def test_a_damaged_database_is_kept_reported_once_and_replaced(database: Database, damage: str) -> None:
    approvals = SqliteApprovals(database)
    for number in range(200):
        approvals.approve(Approval(f"plan_{number}", f"{number}.plan", "hash", "text" * 200, "t"))
    database.close()
    size = database.path.stat().st_size
    broken = b"no database at all" * 100 if damage == "not a database" else bytes(size - 4096)
    with database.path.open("r+b") as file:
        file.seek(0 if damage == "not a database" else 4096)
        file.write(broken)
    content = database.path.read_bytes()

    with pytest.raises(StorageFailure) as caught:
        approvals.find("3.plan")
    kept = database.path.with_name("state.db.damaged-20261120T100000000000")
    assert caught.value.code == "STORAGE_DAMAGED"
    assert str(kept) in caught.value.message
    assert kept.read_bytes() == content
    assert approvals.find("3.plan") is None
    approvals.trust("new")
    assert approvals.trusted() == "new"


@pytest.mark.parametrize("taken", ["all of it", "its log"])
def test_a_database_that_lost_something_unseen_by_sqlite_is_set_aside_too(database: Database, taken: str) -> None:
    child = process("journal.append('s1', 'e1', 'first', {})\nos.kill(os.getpid(), signal.SIGKILL)", database)
    finish(child)
    if taken == "all of it":
        database.path.write_bytes(b"")
        database.path.with_name("state.db-wal").unlink()
    else:
        database.path.with_name("state.db-wal").unlink()
    journal = SqliteJournal(database, FakeClock())
    with pytest.raises(StorageFailure) as caught:
        journal.read("e1")
    assert caught.value.code == "STORAGE_DAMAGED"
    assert ("it is empty" if taken == "all of it" else "its log is gone") in caught.value.message
    assert journal.read("e1") == ()
    journal.append("s1", "e1", "second", {})
    assert [entry.kind for entry in journal.read("e1")] == ["second"]


def test_what_is_set_aside_at_the_same_time_by_the_clock_does_not_replace_another(database: Database) -> None:
    for _ in range(2):
        SqliteApprovals(database).trust("x")
        database.close()
        database.path.write_bytes(b"damaged" * 1000)
        with pytest.raises(StorageFailure):
            SqliteApprovals(database).trusted()
    assert len(list(database.path.parent.glob("state.db.damaged-*"))) == 2


def test_two_processes_that_find_the_damage_set_aside_one_file(database: Database, clock: FakeClock) -> None:
    other = Database(database.path.parent, clock, Redactor({}).data)
    SqliteApprovals(other).trust("x")
    SqliteApprovals(database).trust("y")
    database.close()
    other.close()
    database.path.write_bytes(b"damaged" * 1000)
    with pytest.raises(StorageFailure):
        SqliteApprovals(database).trusted()
    SqliteApprovals(database).trust("new")
    with pytest.raises(StorageFailure), exclusive(other.path.with_name("open.lock"), 10) as lock:
        raise other._set_aside("it looks so", lock)
    assert SqliteApprovals(database).trusted() == "new"
    assert len(list(database.path.parent.glob("*.damaged-*"))) == 1
    other.close()


def test_a_row_that_cannot_be_read_does_not_hide_the_others(database: Database) -> None:
    questions = SqliteQuestions(database)
    for name in ("q1", "q2"):
        questions.put(asked(name))
    database.write("UPDATE questions SET data = ? WHERE id = 'q1'", (json.dumps({"id": 7}),))
    assert questions.open() == (asked("q2"),)
    with pytest.raises(StorageFailure) as caught:
        questions.get("q1")
    assert caught.value.code == "STORAGE_DAMAGED"


def test_a_secret_in_an_answer_reaches_the_work_that_waits_and_is_kept_nowhere(database: Database) -> None:
    asking, answering = SqliteQuestions(database), SqliteQuestions(database)
    ended = asked("q1").model_copy(update={"status": "answered", "answers": {"answer": "password=hunter22x"}})
    asking.put(asked("q1"))
    assert asking.resolve(ended)
    assert (asking.get("q1"), answering.get("q1").answers) == (ended, {"answer": "password=[redacted]"})
    hidden = asked("q2").model_copy(update={"questions": (Question(question="Is it password=hunter22x?"),)})
    asking.put(hidden)
    assert asking.get("q2") == hidden
    assert answering.resolve(asked("q2").model_copy(update={"status": "declined"}))
    assert asking.get("q2").status == "declined"
    assert [path for path in database.path.parent.iterdir() if b"hunter22x" in path.read_bytes()] == []


# --- what can't be written


def test_a_folder_that_cannot_be_made_is_named_with_cause_and_next_step(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    database = Database(tmp_path / "file" / "app", FakeClock(), Redactor({}).data)
    approvals = SqliteApprovals(database)
    for use in (lambda: approvals.trust("x"), approvals.trusted):  # what can't be there isn't empty
        with pytest.raises(StorageFailure) as caught:
            use()
        assert caught.value.code == "STORAGE_UNWRITABLE"
        assert str(database.path.parent) in caught.value.message
        assert "Not a directory" in caught.value.message
        assert "XDG_STATE_HOME" in caught.value.hint


def test_a_full_disk_is_told_and_loses_nothing_that_was_kept(database: Database) -> None:
    journal = SqliteJournal(database, FakeClock())
    journal.append("s1", "e1", "first", {})
    code = """
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    for number in range(1000):
        journal.append("s1", "e1", "filler", {"text": "x" * 5000})
except StorageFailure as failure:
    print(failure.code, number)
"""
    code_and_count = finish(process(code, database)).split()
    assert code_and_count[0] == "STORAGE_UNWRITABLE"
    assert [entry.kind for entry in journal.read("e1")] == ["first"] + ["filler"] * int(code_and_count[1])


def test_a_read_only_database_is_told(database: Database) -> None:
    SqliteApprovals(database).trust("x")
    database.close()
    code = """
import tempfile
folder = Path(sys.argv[1])
target = Path(tempfile.mkdtemp())
(target / "state.db").write_bytes((folder / "state.db").read_bytes())
(target / "open.lock").touch()
other = Database(target, FakeClock(), lambda value: value)
for path in (*target.iterdir(), target):
    path.chmod(0o555 if path.is_dir() else 0o444)
if os.geteuid() == 0:
    os.setuid(65534)
try:
    SqliteApprovals(other).trust("y")
except StorageFailure as failure:
    print(failure.code, str(target) in failure.message)
"""
    assert finish(process(code, database)) == "STORAGE_UNWRITABLE True\n"


def test_a_database_of_a_newer_planact_is_left_alone(database: Database) -> None:
    SqliteApprovals(database).trust("x")
    database.write(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    database.close()
    with pytest.raises(StorageFailure) as caught:
        SqliteApprovals(database).trust("y")
    assert caught.value.code == "STORAGE_UNWRITABLE"
    assert "newer planact" in caught.value.message
    assert [path.name for path in database.path.parent.iterdir() if "damaged" in path.name] == []


def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    def fail() -> None:
        with database.transaction() as connection:
            connection.execute("INSERT INTO trust (id, fingerprint) VALUES (1, 'half')")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert SqliteApprovals(database).trusted() == ""


def test_every_write_reaches_the_disk_before_it_returns(database: Database) -> None:
    SqliteApprovals(database).trust("x")
    assert database.rows("PRAGMA synchronous") == [(2,)]
    assert database.rows("PRAGMA journal_mode") == [("wal",)]


def test_half_a_character_does_not_keep_an_entry_from_being_stored(database: Database) -> None:
    journal = SqliteJournal(database, FakeClock())
    journal.append("s1", "e1", "call_started", {"text": "a\ud83d"})
    assert journal.read("e1")[0].data == {"text": "a?"}


def test_the_schema_of_the_first_version_stays_what_it_is(database: Database) -> None:
    # Databases of that version are on disks: a change needs a migration of its own.
    connection = sqlite3.connect(":memory:")
    for statement in MIGRATIONS[0]:
        connection.execute(statement)
    columns = {
        table: [column[1] for column in connection.execute(f"PRAGMA table_info({table})")]
        for (table,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'sqlite_sequence'"
        )
    }
    connection.close()
    assert columns == {
        "sessions": ["id", "used", "data"],
        "messages": ["sequence", "session_id", "data"],
        "journal": ["sequence", "session_id", "execution_id", "kind", "time", "data"],
        "images": ["sha256", "data"],
        "questions": ["sequence", "id", "session_id", "purpose", "subject", "status", "is_used", "data"],
        "approvals": ["path", "plan_id", "hash", "text", "time"],
        "trust": ["id", "fingerprint"],
        "events": ["sequence", "session_id", "kind", "time", "data"],
    }


def test_a_text_that_the_disk_has_changed_hides_no_other(database: Database) -> None:
    journal = SqliteJournal(database, FakeClock())
    journal.append("s1", "e1", "run_started", {"path": "a.plan"})
    for number in range(3):
        journal.append("s1", "e1", "call_started", {"number": number})
    for number, spoiled in ((2, "7b226e756d626572223a22ff227d"), (3, "7b22ff")):
        database.write(f"UPDATE journal SET data = CAST(x'{spoiled}' AS TEXT) WHERE sequence = {number}")
    database.close()
    entries = journal.read("e1")
    assert [(entry.kind, entry.data) for entry in entries] == [
        ("run_started", {"path": "a.plan"}),
        ("call_started", {"number": "\ufffd"}),
        ("entries_lost", {}),
        ("call_started", {"number": 2}),
    ]
    assert journal.read("e1", ("call_started",)) == (entries[1], entries[3])
    database.write("UPDATE journal SET data = '{' WHERE sequence = 1")
    assert (journal.runs("a.plan"), journal.runs(), journal.open_runs()) == ((), (), ())
