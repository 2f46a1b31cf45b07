"""Kept outputs in the state database: bounded, the oldest dropped first."""

import random
from pathlib import Path

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.state import outputs as kept
from planact.adapters.store.state.database import Database
from planact.adapters.store.state.outputs import SqliteOutputs
from planact.adapters.store.state.records import WorkspaceRecords
from planact.adapters.store.state.sessions import SqliteSessions, Transcripts
from planact.model.chat.message import Session
from tests.fakes.clock import FakeClock


def noise(size: int) -> str:
    """A text that no compression makes small."""
    return random.Random(size).randbytes(size // 2).hex()


@pytest.mark.parametrize("is_own", [True, False], ids=["a session", "all"])
def test_the_oldest_make_room(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_own: bool
) -> None:
    monkeypatch.setattr(kept, "MOST_OF_A_SESSION" if is_own else "MOST_OF_ALL", 25_000)
    records = WorkspaceRecords(tmp_path, FakeClock(), Redactor({}).text, print)
    sessions, outputs = SqliteSessions(database, Transcripts(records, print)), SqliteOutputs(database)
    owners = ["s1"] * 4 if is_own else ["s1", "s2", "s1", "s2"]
    for name in {*owners, "s3"}:
        sessions.put(Session(id=name))
    first, _ = outputs.keep("s3", "short")
    ids = [outputs.keep(owner, noise(20_000))[0] for owner in owners]
    found = [outputs.read(owner, name) is not None for owner, name in zip(owners, ids, strict=True)]
    assert found == [False, False, True, True]
    assert (outputs.read("s3", first) == "short") == is_own
    assert len(set(ids)) == 4
