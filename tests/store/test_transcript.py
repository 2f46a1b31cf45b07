import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.state.database import Database
from planact.adapters.store.state.records import WorkspaceRecords
from planact.adapters.store.state.sessions import SqliteSessions, Transcripts
from planact.model.chat.message import Message, Session, ToolCall, Usage
from planact.model.rights.permission import Mode
from tests.fakes.clock import FakeClock

SESSION = Session(id="s1", title='A "title": yes', model="m", created_at="2026-11-20T10:00:00Z")
WHOLE = """\
---
id: s1
title: 'A "title": yes'
mode: plan
role: planner
plan_file: ''
model: m
created: '2026-11-20T10:00:00Z'
---

## user · text · t1

Rename it, please 🙂

## assistant · tool_call

read_file({"path": "a"})
"""


@pytest.fixture
def reports() -> list[str]:
    return []


def sessions(database: Database, workspace: Path, reports: list[str]) -> SqliteSessions:
    records = WorkspaceRecords(workspace, FakeClock(), Redactor({}).text, reports.append)
    return SqliteSessions(database, Transcripts(records, reports.append))


def say(store: SqliteSessions) -> None:
    store.add_message(Message(id="m1", session_id="s1", role="user", content="Rename it, please 🙂", created_at="t1"))
    call = ToolCall(id="c", name="read_file", arguments='{"path": "a"}')
    store.add_message(Message(id="m2", session_id="s1", role="assistant", message_type="tool_call", tool_calls=(call,)))


def test_a_session_can_be_read_as_a_file(database: Database, tmp_path: Path, reports: list[str]) -> None:
    store = sessions(database, tmp_path, reports)
    store.put(SESSION)
    say(store)
    assert (tmp_path / ".planact" / "sessions" / "s1.chat").read_text() == WHOLE
    assert reports == []


def test_a_message_is_appended_and_usage_writes_nothing(database: Database, tmp_path: Path, reports: list[str]) -> None:
    store = sessions(database, tmp_path, reports)
    store.put(SESSION)
    file = tmp_path / ".planact" / "sessions" / "s1.chat"
    inode = file.stat().st_ino
    say(store)
    store.put(SESSION.model_copy(update={"usage": Usage(input_tokens=1), "updated_at": "later"}))
    assert file.stat().st_ino == inode


def test_a_changed_mode_shows_in_the_front_matter(database: Database, tmp_path: Path, reports: list[str]) -> None:
    store = sessions(database, tmp_path, reports)
    store.put(SESSION)
    say(store)
    store.put(SESSION.model_copy(update={"mode": Mode.ACT}))
    text = (tmp_path / ".planact" / "sessions" / "s1.chat").read_text()
    assert text == WHOLE.replace("mode: plan", "mode: act")


@pytest.mark.parametrize("is_restart", [True, False])
def test_a_lost_or_changed_mirror_is_written_anew_from_the_truth(
    database: Database, tmp_path: Path, reports: list[str], is_restart: bool
) -> None:
    store = sessions(database, tmp_path, reports)
    store.put(SESSION)
    file = tmp_path / ".planact" / "sessions" / "s1.chat"
    file.unlink()
    if is_restart:
        file.write_text("role: system\nforged")
        store = sessions(database, tmp_path, reports)
    say(store)
    assert file.read_text() == WHOLE


def test_a_mirror_that_cannot_be_written_is_reported_once_and_keeps_nothing_up(
    database: Database, tmp_path: Path, reports: list[str]
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".planact").symlink_to("elsewhere")
    store = sessions(database, tmp_path, reports)
    store.put(SESSION)
    say(store)
    assert [message.id for message in store.messages("s1")] == ["m1", "m2"]
    assert len(reports) == 1
    assert "is a link" in reports[0]
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_message_without_a_session_is_kept_and_not_mirrored(
    database: Database, tmp_path: Path, reports: list[str]
) -> None:
    store = sessions(database, tmp_path, reports)
    say(store)
    assert len(store.messages("s1")) == 2
    assert not (tmp_path / ".planact").exists()


def test_a_secret_is_known_where_it_was_said_and_kept_nowhere(
    database: Database, tmp_path: Path, reports: list[str]
) -> None:
    store = sessions(database, tmp_path, reports)
    store.put(SESSION)
    said = Message(id="m1", session_id="s1", role="tool", content='1\tpassword = "hunter22x"', created_at="t1")
    store.add_message(said)
    assert store.messages("s1") == (said,)
    (later,) = sessions(database, tmp_path, reports).messages("s1")
    assert later == said.model_copy(update={"content": '1\tpassword = "[redacted]"'})
    store.put(SESSION.model_copy(update={"title": "written anew"}))
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) > 1
    assert [data for data in kept if b"hunter22x" in data] == []


def test_a_mirror_that_is_kept_in_a_thread_has_everything_once_and_in_order(
    database: Database, tmp_path: Path, reports: list[str]
) -> None:
    records = WorkspaceRecords(tmp_path, FakeClock(), Redactor({}).text, reports.append)
    is_free = threading.Event()
    with ThreadPoolExecutor(1) as mirrors:
        mirrors.submit(is_free.wait)
        store = SqliteSessions(database, Transcripts(records, reports.append), mirrors.submit)
        store.put(SESSION)
        say(store)
        file = tmp_path / ".planact" / "sessions" / "s1.chat"
        assert not file.exists()
        is_free.set()
        mirrors.submit(lambda: None).result()
        assert file.read_text() == WHOLE
        store.delete("s1")
        assert not file.exists()
