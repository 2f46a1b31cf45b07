"""A state database in a folder of the test, closed afterwards."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.state.database import Database
from tests.fakes.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def database(tmp_path: Path, clock: FakeClock) -> Iterator[Database]:
    database = Database(tmp_path / "state" / "app-1", clock, Redactor({}).data)
    yield database
    database.close()
