"""A state database in a folder of the test, closed afterwards; the folder is on a disk whose times are believed."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.store.git.changed_since import has_reliable_times
from planact.adapters.store.state.database import Database
from tests.fakes.clock import FakeClock


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """Another folder where that for temporary files is in memory."""
    if has_reliable_times(tmp_path) or not Path("/var/tmp").is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder).resolve()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def database(tmp_path: Path, clock: FakeClock) -> Iterator[Database]:
    database = Database(tmp_path / "state" / "app-1", clock, Redactor({}).data)
    yield database
    database.close()
