"""`planact doctor --repair`: each thing that can be amiss is told, put right, and then is told no more."""

import json
import os
import re
import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from planact.adapters.sandbox.runner.parent_watchdog import _WATCH
from tests.cli.drawn_terminal import DrawnTerminal
from tests.cli.program import Program, interrupt_when
from tests.cli.test_act import sleepers


def state_of(planact: Program) -> Path:
    (database,) = planact.home.rglob("state.db")
    return database


def told(planact: Program, *words: str) -> tuple[int, list[str]]:
    """The exit code, and what is said of planact's own files."""
    ran = planact.run("doctor", *words, "--json")
    rows = [row for row in ran.json["findings"] if row["name"] in ("state", "repaired") and row["state"] != "ok"]
    return ran.code, [row["text"] for row in rows]


def record(planact: Program) -> Path:
    (path,) = [path for path in (own(planact) / "executions").glob("*.json") if path.name != "index.json"]
    return path


def own(planact: Program) -> Path:
    return planact.folder / ".planact"


def form(planact: Program) -> Path:
    return next((own(planact) / "plans").glob("*.plan")).with_suffix(".json")


def stale(path: Path) -> None:
    path.write_text(path.read_text().replace("goodbye", "farewell"))


DAMAGES: dict[str, tuple[Callable[[Program], object], str]] = {
    "a record is gone": (lambda it: record(it).unlink(), "is not what the journal says, or gone"),
    "a record is garbage": (lambda it: record(it).write_bytes(b"\xff{"), "is not what the journal says, or gone"),
    "a record is forged": (
        lambda it: record(it).write_text(record(it).read_text().replace('"success"', '"failed"')),
        "is not what the journal says, or gone",
    ),
    "the index of executions is garbage": (
        lambda it: (own(it) / "executions" / "index.json").write_text("{"),
        "executions/index.json is not current",
    ),
    "the index of executions is gone": (
        lambda it: (own(it) / "executions" / "index.json").unlink(),
        "executions/index.json is not current",
    ),
    "the JSON of a plan is garbage": (lambda it: form(it).write_text("{"), ".json can't be read"),
    "the JSON of a plan is stale": (lambda it: stale(form(it)), "what is derived from"),
    "the JSON of a plan is gone": (lambda it: form(it).unlink(), "what is derived from"),
    "the index of plans is garbage": (
        lambda it: (own(it) / "plans" / "index.json").write_text("[1"),
        "plans/index.json can't be read",
    ),
    "the index of plans is gone": (lambda it: (own(it) / "plans" / "index.json").unlink(), "what is derived from"),
    "a file was never finished": (
        lambda it: (it.folder / ".planact-0123456789abcdef.tmp").write_text("half"),
        ".planact-0123456789abcdef.tmp was never finished",
    ),
}


@pytest.fixture(scope="module")
def carried_out(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, Path]:
    """A workspace in which a plan was carried out, and a copy of it and its home."""
    base, kept = tmp_path_factory.mktemp("done"), tmp_path_factory.mktemp("kept") / "done"
    planact = Program(base / "work", base / "home")
    planact.folder.mkdir()
    planact.home.mkdir()
    (planact.folder / "greeting.txt").write_text("hello\n")
    planact.plan()
    assert planact.run("act", "--yes").code == 0
    assert told(planact) == (0, [])
    shutil.copytree(base, kept, symlinks=True)
    return planact, kept


@pytest.fixture
def done(carried_out: tuple[Program, Path]) -> Program:
    """A workspace in which a plan was carried out, at the place where it was."""
    planact, kept = carried_out
    shutil.rmtree(planact.folder.parent)
    shutil.copytree(kept, planact.folder.parent, symlinks=True)
    return planact


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_amiss_is_told_put_right_and_told_no_more(done: Program, damage: str) -> None:
    before = {path: path.read_bytes() for path in own(done).rglob("*") if path.is_file() and path.suffix != ".chat"}
    bring_about, expected = DAMAGES[damage]
    bring_about(done)
    code, found = told(done)
    assert (code, [text for text in found if expected in text] != []) == (1, True), found
    repaired = done.run("doctor", "--repair", "--json").json["findings"]
    assert [row["name"] for row in repaired].count("repaired") >= 1
    assert told(done) == (0, [])
    after = {path: path.read_bytes() for path in before if path.exists()}
    assert {path: json_of(data) for path, data in after.items()} == {p: json_of(d) for p, d in before.items()}


def test_many_records_that_are_gone_share_a_line(planact: Program) -> None:
    for _ in range(4):
        assert planact.run("chat", "--mode", "act", "--accept-all", "Look at it").code == 0
    runs = [run["id"] for run in planact.run("executions", "--json").json["executions"]]
    shutil.rmtree(planact.folder / ".planact")
    told_of = [text for text in told(planact)[1] if "the journal says" in text]
    assert told_of == [f"executions/{runs[0]}.json and 3 more are not what the journal says, or gone"]


def json_of(data: bytes) -> object:
    """Records but for their times, which the journal has to a millisecond, and the record to a second."""
    try:
        found = json.loads(data)
    except ValueError:
        return data
    if isinstance(found, dict):
        found.pop("last_accessed", None)
    rows = found.get("executions", [found]) if isinstance(found, dict) else []
    for row in rows:
        for name in ("started_at", "finished_at", "timestamp", "duration", "reason"):
            row.pop(name, None)
    return found


@pytest.mark.parametrize("damage", ["its header", "its middle", "its log", "its content", "all of it"])
def test_a_damaged_database_is_set_aside_whole_and_a_new_one_begun(done: Program, damage: str) -> None:
    database = state_of(done)
    if damage == "its log":
        database.with_name("state.db-wal").unlink()
    elif damage == "its content":
        database.write_bytes(b"")
    else:
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = database.stat().st_size
        with database.open("r+b") as file:
            file.seek(size // 2 // 4096 * 4096 if damage == "its middle" else 0)
            file.write(os.urandom({"all of it": size, "its header": 100}.get(damage, 8192)))
    content = database.read_bytes()
    code, found = told(done)
    (kept,) = (path for path in database.parent.glob("state.db.damaged-*") if not path.name.endswith(("-wal", "-shm")))
    assert (code, f"is kept as {kept}" in "\n".join(found)) == (1, True), found
    ran = done.run("doctor", "--repair", "--json")
    noted = [row["text"] for row in ran.json["findings"] if row["state"] == "note" and str(kept) in row["text"]]
    assert noted == [f"an earlier database was damaged and is kept as {kept}; what it held is not in the new one"]
    assert told(done) == (0, noted)
    assert kept.read_bytes() == content
    assert len(done.run("executions", "--json").json["executions"]) == 1


def killed_in_a_command(planact: Program) -> str:
    """The id of a plan whose run was killed, and before it the watcher that would have ended its command."""
    plan_id = planact.plan("Take your time")
    planact.variables["PLANACT_COMMANDS_ALLOW"] = '["touch started; sleep 600"]'
    process = planact.start("act", "--yes")
    interrupt_when(process, (planact.folder / "started").exists, signal.SIGSTOP)
    for watcher in psutil.Process(process.pid).children():
        if watcher.cmdline()[:2] == ["/bin/sh", "-c"] and watcher.cmdline()[2] == _WATCH:
            watcher.kill()
    process.kill()
    process.communicate(timeout=180)
    return plan_id


def test_a_run_that_the_journal_has_lost_is_closed_and_its_step_is_asked_about(planact: Program) -> None:
    plan_id = killed_in_a_command(planact)
    assert "- [~] 1." in planact.document(plan_id).read_text()
    database = state_of(planact)
    for suffix in ("-wal", "-shm"):
        database.with_name(f"state.db{suffix}").unlink()
    database.write_bytes(os.urandom(database.stat().st_size))
    assert "STORAGE_DAMAGED" in planact.run("act", plan_id, "--yes").err
    code, found = told(planact)
    assert (code, "“Take time” is recorded as running, but the journal doesn't know it" in found) == (1, True), found
    ran = planact.run("doctor", "--repair")
    assert "wrote the record of “Take time” anew" in ran.out, ran
    assert json.loads(record(planact).read_text())["status"] == "aborted"
    assert "status: aborted" in planact.document(plan_id).read_text()
    code, notes = told(planact)
    assert (code, len(notes)) == (0, 1), notes
    asked = planact.run("act", plan_id, "--hash", planact.hash(plan_id), "--json")
    (question,) = asked.json["waiting"]["questions"]
    assert (asked.code, question["name"]) == (3, "interrupted")
    assert "is marked as running, but there is no record of that run" in question["question"]


def test_a_killed_run_is_told_with_what_it_left_running_and_put_in_order(planact: Program) -> None:
    plan_id = killed_in_a_command(planact)
    assert sleepers(planact.folder) != []
    code, found = told(planact)
    assert (code, found[0]) == (1, "the run of “Take time” broke off, and can be taken up again"), found
    assert re.fullmatch(r"(1 process|[2-9] processes) of commands left, whose planact was killed", found[-1])
    planact.run("doctor", "--repair")
    assert sleepers(planact.folder) == []
    assert told(planact) == (0, [])
    text = planact.document(plan_id).read_text()
    assert ("status: aborted" in text, "- [ ] 1." in text) == (True, True), text
    asked = planact.run("act", plan_id, "--hash", planact.hash(plan_id), "--json")
    assert (asked.code, asked.json["waiting"]["questions"][0]["name"]) == (3, "interrupted")


def test_what_a_killed_run_of_another_folder_left_is_that_folders(planact: Program) -> None:
    other = Program(planact.folder.with_name("other"), planact.home)
    other.folder.mkdir()
    (other.folder / "greeting.txt").write_text("hello\n")
    for each in (planact, other):
        killed_in_a_command(each)
    planact.run("doctor", "--repair")
    assert (sleepers(planact.folder), told(planact)) == ([], (0, []))
    assert sleepers(other.folder) != []
    other.run("doctor", "--repair")
    assert sleepers(other.folder) == []


def test_a_run_whose_record_could_not_be_written_is_not_called_killed(planact: Program) -> None:
    plan_id = planact.plan()
    (planact.folder / ".planact" / "executions").write_text("in the way")
    ran = planact.run("act", plan_id, "--yes")
    assert (ran.code, "[STORAGE_UNWRITABLE]" in ran.err) == (1, True), ran.err
    found = planact.run("doctor").out
    assert ("the run of “Say goodbye” broke off" in found, "killed" in found) == (True, False), found


def test_a_rollback_that_was_killed_is_told_with_what_goes_on_with_it(planact: Program) -> None:
    run = planact.run("act", planact.plan(), "--yes", "--json").json["id"]
    with sqlite3.connect(state_of(planact)) as database:
        database.execute(
            "INSERT INTO journal (session_id, execution_id, kind, time, data)"
            " SELECT session_id, execution_id, 'rollback_started', time, '{}' FROM journal WHERE kind = 'run_started'"
        )
    database.close()
    found = [row for row in planact.run("doctor", "--json").json["findings"] if row["name"] == "state"][-1]
    assert (found["state"], found["next_step"]) == ("problem", f"Go on with the rollback: planact rollback {run}")
    assert "was killed: some of its files may be put back, and others not" in found["text"]
    chat = DrawnTerminal(planact, "chat")
    chat.until("plan ›")
    assert "! the rollback of “Say goodbye” was killed" in chat.sees
    chat.close()
    assert planact.run("rollback", run, "--yes").code == 0
    assert planact.greeting == "hello\n"
    assert [row["text"] for row in planact.run("doctor", "--json").json["findings"] if "killed" in row["text"]] == []


def test_texts_that_nothing_has_named_for_a_week_go(planact: Program) -> None:
    planact.plan()
    with sqlite3.connect(state_of(planact)) as database:
        database.execute("INSERT INTO images VALUES (?, ?)", ("0" * 64, b"a text"))
        database.execute("INSERT INTO doubtful VALUES (?, 0)", ("0" * 64,))
    database.close()
    summary_source = "took out 1 text kept for undo that nothing has named for a week"
    assert summary_source not in planact.run("doctor").out
    assert summary_source in planact.run("doctor", "--repair").out
    with sqlite3.connect(state_of(planact)) as database:
        assert database.execute("SELECT count(*) FROM images WHERE sha256 = ?", ("0" * 64,)).fetchall() == [(0,)]
    database.close()
    assert summary_source not in planact.run("doctor", "--repair").out
