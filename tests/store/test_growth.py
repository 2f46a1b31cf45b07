"""What the state database does for each question and each entry doesn't grow with what happened in a year."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.state.database import Database, state_folder
from planact.adapters.store.state.events import SqliteEvents
from planact.adapters.store.state.journal import SqliteJournal
from planact.adapters.store.state.questions import SqliteQuestions
from planact.model.runs.journal import Event
from tests.bench.states import Use, plan_path, run_id, use_for_a_year
from tests.fakes.clock import FakeClock

LITTLE = Use(plans=10, sessions=10, messages=4, runs=100, events=500, questions=40, open_questions=2, steps=2)
MUCH = Use(plans=80, sessions=10, messages=4, runs=800, events=4_000, questions=320, open_questions=2, steps=2)
"""Eight times as much, and of each plan as many runs as in `LITTLE`."""

PLAN = "plan_20260101_0003"
GROWS_WITH_RUNS = {"open runs", "ids of all runs"}
"""Of these, a few instructions for each run."""

ACTS: dict[str, Callable[[Database], object]] = {
    "how often a step began": lambda db: _journal(db).step_starts(plan_path(3), 1),
    "what a step did in a run": lambda db: _journal(db).of_step(run_id(3), 1),
    "what is new in a run": lambda db: _journal(db).read(run_id(3), ("file_changed",), after=_last(db)),
    "the last run": lambda db: _journal(db).runs(limit=1),
    "the last run of a plan": lambda db: _journal(db).runs(plan_path(3), limit=1),
    "runs of a plan": lambda db: _journal(db).runs(plan_path(3)),
    "ids of the runs of a plan": lambda db: _journal(db).run_ids(plan_path(3), PLAN),
    "files changed by a plan": lambda db: _journal(db).paths_changed(plan_path(3)),
    "one run": lambda db: _journal(db).read(run_id(50)),
    "ends of one run": lambda db: _journal(db).read(run_id(50), ("run_finished",)),
    "runs since one of the last": lambda db: _journal(db).runs_since(_last(db) - 20, ("file_changed",)),
    "rolled back": lambda db: _journal(db).runs_with("rollback_finished"),
    "open runs": lambda db: _journal(db).open_runs(),
    "ids of all runs": lambda db: _journal(db).run_ids(),
    "an entry": lambda db: _journal(db).append("s", "e", "call_started", {}),
    "an event": lambda db: SqliteEvents(db, print).record(Event(kind="step_finished", session_id="s", time="")),
    "the next events": lambda db: SqliteEvents(db, print).after(100, 10),
    "requests of a run": lambda db: SqliteEvents(db, print).requests(run_id(50)),
    "open questions": lambda db: SqliteQuestions(db).open(),
}


class Counting(Database):
    """Counts the instructions of SQLite's machine, and keeps what was asked."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, FakeClock(), Redactor({}).data)
        self.instructions = 0
        self.asked: list[tuple[str, Sequence[Any]]] = []
        with self.transaction() as connection:
            connection.set_progress_handler(self._count, 1)

    def _count(self) -> int:
        self.instructions += 1
        return 0

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        if not sql.startswith("EXPLAIN"):
            self.asked.append((sql, parameters))
        return super().rows(sql, parameters)


def _journal(database: Database) -> SqliteJournal:
    return SqliteJournal(database, FakeClock())


def _last(database: Database) -> int:
    return int(database.rows("SELECT max(sequence) FROM journal")[0][0])


def used(folder: Path, use: Use) -> Counting:
    folder.mkdir()
    use_for_a_year(folder, use)
    return Counting(state_folder(folder))


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Counting, Counting]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        folder = tmp_path_factory.mktemp("work")
        both = used(folder / "little", LITTLE), used(folder / "much", MUCH)
        yield both
        for database in both:
            database.close()


@pytest.mark.parametrize("name", ACTS)
def test_what_is_asked_again_and_again_costs_what_it_did_at_the_beginning(
    databases: tuple[Counting, Counting], name: str
) -> None:
    costs = []
    for database in databases:
        before = database.instructions
        ACTS[name](database)
        costs.append(database.instructions - before)
    little, much = costs
    # A search in an index of eight times the size takes no instruction more.
    assert much <= (little * 10 if name in GROWS_WITH_RUNS else little * 1.3 + 20), (little, much)


def test_no_question_reads_a_whole_table(databases: tuple[Counting, Counting]) -> None:
    database = databases[1]
    database.asked.clear()
    for act in ACTS.values():
        act(database)
    for sql, parameters in tuple(database.asked):
        plan = [row[3] for row in database.rows(f"EXPLAIN QUERY PLAN {sql}", parameters)]
        scans = [
            step for step in plan if re.match(r"SCAN (journal|begun|later|events|messages|questions|images)", step)
        ]
        assert all("INDEX journal_begun" in step for step in scans), (sql, plan)


def test_metrics_read_the_events_of_some_kinds_alone(databases: tuple[Counting, Counting]) -> None:
    database = databases[1]
    events = SqliteEvents(database, print)
    database.asked.clear()
    found = events.list(kinds=("model_called", "plan_created"))
    counts = events.count("tool_called", "model", "mode")
    assert {event.kind for event in found} <= {"model_called", "plan_created"}
    assert sum(counts.values()) == len(events.list(kinds=("tool_called",)))
    for sql, parameters in tuple(database.asked):
        (step, *_) = [row[3] for row in database.rows(f"EXPLAIN QUERY PLAN {sql}", parameters) if "events" in row[3]]
        assert step.startswith("SEARCH events USING INDEX events_kind (kind=?"), (sql, step)


def test_the_ids_of_all_runs_are_read_once_and_then_the_new_ones(databases: tuple[Counting, Counting]) -> None:
    costs = []
    for database in databases:
        journal = _journal(database)
        ids = journal.run_ids()
        journal.append("s", "own", "run_started", {})
        before = database.instructions
        assert journal.run_ids() == ("own", *ids)
        costs.append(database.instructions - before)
    assert costs[1] <= costs[0] * 1.3 + 20, costs


def test_what_another_process_brings_back_is_among_the_ids_of_runs_in_its_place(tmp_path: Path) -> None:
    here, there = (Database(tmp_path, FakeClock(), Redactor({}).data) for _ in range(2))
    journal = SqliteJournal(here, FakeClock())
    for name in ("e1", "e2", "e3"):
        journal.append("s1", name, "run_started", {})
    there.write("UPDATE journal SET sequence = sequence + 10")
    assert journal.run_ids() == ("e3", "e2", "e1")
    there.write(
        "INSERT INTO journal (sequence, session_id, execution_id, kind, time, data) VALUES (?, ?, ?, ?, ?, ?)",
        (5, "s1", "e0", "run_started", "", "{}"),
    )
    assert journal.run_ids() == ("e3", "e2", "e1", "e0")
    here.close()
    there.write("DELETE FROM journal WHERE execution_id = 'e3'")
    there.close()
    assert journal.run_ids() == ("e2", "e1", "e0")
    here.close()


def test_runs_that_did_not_name_their_plan_are_found_by_its_id_after_an_update(tmp_path: Path) -> None:
    old = Database(tmp_path, FakeClock(), Redactor({}).data)
    journal = SqliteJournal(old, FakeClock())
    texts = ("---\nid: plan_a\nstatus: x\n---\n# A", "---\r\nid: 'plan_b'\r\n---\r\n# B", "# C", "")
    for number, text in enumerate(texts):
        journal.append("s1", f"e{number}", "run_started", {"path": f"{number}.plan", "plan": text})
    journal.append("s1", "e9", "run_started", {"task": "Work"})
    for name in ("execution", "begun", "path", "plan", "steps"):
        old.write(f"DROP INDEX journal_{name}")
    for statement in (
        "INDEX questions_untold",
        "INDEX sessions_used",
        "INDEX events_requests",
        "TABLE doubtful",
        "TABLE housekeeping",
        "TABLE program_trust",
        "TABLE own_plans",
        "TABLE outputs",
    ):
        old.write(f"DROP {statement}")
    for column in ("approvals DROP COLUMN implied_files", "questions DROP COLUMN is_told"):
        old.write(f"ALTER TABLE {column}")
    old.write("CREATE INDEX journal_execution ON journal (execution_id)")
    old.write("PRAGMA user_version = 4")
    old.close()
    found = [SqliteJournal(old, FakeClock()).run_ids(plan_id=plan_id) for plan_id in ("plan_a", "plan_b", "plan_c")]
    old.close()
    assert found == [("e0",), ("e1",), ()]
